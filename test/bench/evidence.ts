import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { subscribeClients } from '../../demo/content-network.js';
import { RecountClient } from '../support/recount-client.js';
import { nodePlatform, openFile } from '../../verifier/node/node-platform.js';
import { Archive } from '../../verifier/read-archive.js';
import { advance, createPlan, dayOf, namesOf, startOf, track, withService } from './billed-customers.js';
import type { Cluster } from './cluster.js';
import type { Figure } from './report.js';

const CUSTOMERS = 1_000;
const MONTHS = 5;
/** Days of a month on which each customer uses three metrics. */
const DAYS = [8, 9, 10];

/**
 * Measures the export of evidence bundles and `recount-verify` in separate processes, for one month and for all
 * months: the memory must not depend on the size.
 * @param count customers
 */
export async function measureEvidence(cluster: Cluster, count?: string): Promise<Figure[]> {
  const customers = count === undefined ? CUSTOMERS : Number(count);
  const folder = mkdtempSync(join(tmpdir(), 'recount-bundles-'));
  try {
    return await withService(cluster, async (service) => {
      const client = new RecountClient(service.url, service.key);
      const names = namesOf('customer', customers);
      await subscribeClients(client, await createPlan(client), names, startOf(0));
      for (let month = 0; month < MONTHS; month += 1) {
        await advance(client, dayOf(month, 20));
        for (const day of DAYS) await track(client, names, dayOf(month, day));
        await advance(client, startOf(month + 1).replace('T00', 'T01'));
      }
      await client.post('/api/audit/checkpoints/', {});
      const [{ verifier_key: key }] = await client.get<[{ verifier_key: string }]>('/api/audit/keys/');
      const env = { ...process.env, DATABASE_URL: service.databaseUrl, MASTER_KEY: '0'.repeat(64) };
      const figures: Figure[] = [];
      for (const months of [1, MONTHS]) {
        const file = join(folder, `${months}.zip`);
        const span = ['--from', startOf(1), '--to', startOf(months).replace('-01T', '-02T')];
        const written = await timed('../../src/cli/main.js', ['audit', 'export', file, ...span], env);
        const checked = await timed('../../verifier/cli.js', ['--json', '--key', key, file], env);
        figures.push(...(await figuresOf(file, written, checked, customers * months)));
      }
      return figures;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Timed {
  readonly ms: number;
  /** Processor time in seconds; the peak resident memory below is in MiB. */
  readonly cpu: number;
  readonly memory: number;
  readonly printed: string;
}

/** Prints the resources that a process has used when it exits. */
const USED = `data:text/javascript,process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.stderr.write('\\nused ' + (userCPUTime + systemCPUTime) / 1e6 + ' ' + maxRSS / 1024);
})`.replaceAll('\n', '');

async function timed(script: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Timed> {
  const began = performance.now();
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', USED, join(import.meta.dirname, script), ...args],
    { env, maxBuffer: 2 ** 30 },
  );
  const ms = performance.now() - began;
  const [, cpu, memory] = /used ([\d.]+) ([\d.]+)$/.exec(stderr) ?? [];
  return { ms, cpu: Number(cpu), memory: Number(memory), printed: stdout };
}

async function figuresOf(file: string, written: Timed, checked: Timed, invoices: number): Promise<Figure[]> {
  const { bytes, hashMs, copyMs } = await rawWorkOn(file);
  const report = JSON.parse(checked.printed) as { ok: boolean; counts: { invoices: number; usage: number } };
  const { counts } = report;
  const size = `${counts.usage} usage events and ${counts.invoices} invoices; ${megabytes(statSync(file).size)} packed, ${megabytes(bytes)} unpacked`;
  const used = ({ ms, cpu, memory }: Timed): string =>
    `${(ms / 1000).toFixed(1)} s, ${cpu.toFixed(1)} s of processor time, at most ${memory.toFixed(0)} MiB; copying the archive takes ${(copyMs / 1000).toFixed(1)} s`;
  const check = {
    what: 'every invoice as issued, every event in the signed tree',
    holds: report.ok && counts.invoices === invoices,
  };
  const common = {
    unit: 'invoices',
    ceiling: { name: 'unpacking and SHA-256 of the same files', perSecond: (invoices / hashMs) * 1000 },
    check,
  };
  return [
    {
      ...common,
      name: 'evidence bundle: audit export',
      settings: `${size}; ${used(written)}`,
      perSecond: (invoices / written.ms) * 1000,
    },
    {
      ...common,
      name: 'evidence bundle: recount-verify',
      settings: `${size}; ${used(checked)}`,
      perSecond: (invoices / checked.ms) * 1000,
    },
  ];
}

/** Unpacks and hashes the files of a bundle, and copies it. */
async function rawWorkOn(
  file: string,
): Promise<{ readonly bytes: number; readonly hashMs: number; readonly copyMs: number }> {
  const source = await openFile(file);
  const hashBegan = performance.now();
  let bytes = 0;
  try {
    const archive = await Archive.open(source, nodePlatform);
    for (const name of archive.names) bytes += (await archive.summary(name)).bytes;
  } finally {
    await source.close();
  }
  const copyBegan = performance.now();
  await copyFile(file, `${file}.copy`);
  return { bytes, hashMs: copyBegan - hashBegan, copyMs: performance.now() - copyBegan };
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
