import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { RecountClient } from '../support/recount-client.js';
import type { Cluster } from './cluster.js';
import { median, type Figure } from './report.js';
import { startBenchedService } from './service.js';

const MAIN = 'dist/src/cli/main.js';
const ROUNDS = 11;
const CLOCK = '2026-01-01T00:00:00Z';
/** Prints the process's own processor time in microseconds when it exits. */
const TOLD = `data:text/javascript,process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write('\\n' + (user + system));
});`;

interface Run {
  readonly milliseconds: number;
  readonly processorMs: number;
  readonly isDone: boolean;
}

/**
 * Measures the duration of commands with a small log, beside `node -e 0`, in alternating rounds. The first run of
 * each is not counted, as it fills the compile cache of Node 22 and newer.
 */
export async function measureCommandLine(cluster: Cluster): Promise<Figure[]> {
  const { status } = spawnSync(process.execPath, ['scripts/build-service.mjs'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The service cannot be built.');
  const service = await startBenchedService(cluster, CLOCK);
  try {
    const number = await anInvoice(new RecountClient(service.url, service.key));
    const commands: Readonly<Record<string, readonly string[]>> = {
      'node -e 0': ['-e', '0'],
      'recount --help': [MAIN, '--help'],
      'recount projections status': [MAIN, 'projections', 'status'],
      [`recount explain ${number}`]: [MAIN, 'explain', number],
      [`recount verify ${number}`]: [MAIN, 'verify', number],
    };
    const runs = Object.keys(commands).map((name) => ({ name, measured: [] as Run[] }));
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const { name, measured } of runs) {
        const one = await timed(commands[name]!, service.databaseUrl);
        if (round > 0) measured.push(one);
      }
    }
    const [bare, ...others] = runs.map(({ name, measured }) => ({
      name,
      measured,
      typical: median(measured.map(({ milliseconds }) => milliseconds)),
      processor: median(measured.map(({ processorMs }) => processorMs)),
    }));
    return others.map(({ name, measured, typical, processor }) => ({
      name,
      settings: `medians of ${ROUNDS} runs in turns: ${typical.toFixed(0)} ms, bare ${bare!.typical.toFixed(0)} ms; processor time ${processor.toFixed(0)} ms, bare ${bare!.processor.toFixed(0)} ms, ${(processor / bare!.processor).toFixed(1)} times as much`,
      unit: 'runs',
      perSecond: 1_000 / typical,
      ceiling: { name: bare!.name, perSecond: 1_000 / bare!.typical },
      latencies: measured.map(({ milliseconds }) => milliseconds),
      check: { what: 'every run ended with exit code 0', holds: measured.every(({ isDone }) => isDone) },
    }));
  } finally {
    await service.stop();
  }
}

async function timed(argv: readonly string[], databaseUrl: string): Promise<Run> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', TOLD, ...argv], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, MASTER_KEY: '0'.repeat(64) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => (errors += String(text)));
  const [code] = (await once(child, 'close')) as [number | null];
  const milliseconds = performance.now() - began;
  return { milliseconds, processorMs: Number(errors.split('\n').at(-1)) / 1_000, isDone: code === 0 };
}

/** Creates a customer with an invoice. @returns the invoice's number */
async function anInvoice(client: RecountClient): Promise<string> {
  const plan = await client.post<{ plan_id: string }>('/api/plans/', {
    plan_name: 'Flat',
    plan_duration: 'monthly',
    initial_version: {
      currency_code: 'USD',
      recurring_charges: [
        { name: 'Fee', amount: 30, charge_timing: 'in_advance', charge_behavior: 'prorate' },
      ],
    },
  });
  await client.post('/api/customers/', { customer_id: 'acme' });
  await client.post('/api/subscriptions/', {
    customer_id: 'acme',
    plan_id: plan.plan_id,
    start_date: CLOCK,
  });
  const [invoice] = await client.get<{ invoice_number: string }[]>('/api/invoices/');
  return invoice!.invoice_number;
}
