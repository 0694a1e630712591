import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { hashOf, readLog } from '../../demo/access-log.js';
import { billLog } from '../../demo/bill-log.js';
import { startOfMonthOf, survey } from '../../demo/log-calendar.js';
import { RecountClient } from '../support/recount-client.js';
import { withPool, type Cluster } from './cluster.js';
import { describeCheck } from './report.js';
import { startBenchedService } from './service.js';

const SAMPLE = fileURLToPath(import.meta.resolve('#demo/sample-access.log'));
const TIMES = 10;

/** Measures the peak memory of the service over the demo, and over a demo with ten times the requests. */
export async function measureMemory(cluster: Cluster, file = SAMPLE): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'recount-bench-log-'));
  try {
    const longer = path.join(folder, 'access.log');
    await repeat(file, longer);
    const once = await runDemo(cluster, file);
    const more = await runDemo(cluster, longer);
    const holds = once.isRight && more.isRight && once.invoices === more.invoices;
    console.log('\nmemory of the service over the whole demo');
    console.log(
      `  settings   ${once.requests} requests of ${once.clients} clients, then ${more.requests} of the same`,
    );
    console.log(`  measured   at most ${once.peak}`);
    console.log(`             with ${TIMES} times the requests ${more.peak}`);
    console.log(
      describeCheck({ what: 'every request is stored once, and as many invoices are issued', holds }),
    );
    return holds;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runDemo(cluster: Cluster, file: string) {
  const found = await survey(readLog(file));
  const service = await startBenchedService(cluster, startOfMonthOf(found.slices[0]!.from));
  const log = { ...found, file, hash: await hashOf(file) };
  const peaks: Promise<number>[] = [];
  await billLog(new RecountClient(service.url, service.key), log, () => peaks.push(service.peakMemory()));
  const [subscribed, ingested, billed] = (await Promise.all(peaks)).map(Math.round);
  await service.stop();
  return withPool(service.databaseUrl, async (pool) => {
    const { rows } = await pool.query<{ events: number; invoices: number }>(
      `select (select count(*)::int from usage_events) as events,
         (select count(*)::int from invoices where invoice_number is not null) as invoices`,
    );
    const { events, invoices } = rows[0]!;
    const { requests, clients } = found;
    const peak = `${subscribed} MB with all subscribed, ${ingested} MB with all ingested, ${billed} MB with all billed`;
    return { peak, requests, clients: clients.length, invoices, isRight: events === requests };
  });
}

/** Writes the lines of a log ten times: each copy counts as another request. */
async function repeat(file: string, longer: string): Promise<void> {
  const raw = await readFile(file);
  const lines = raw[0] === 0x1f ? gunzipSync(raw) : raw;
  const out = createWriteStream(longer);
  for (let time = 0; time < TIMES; time += 1) out.write(lines);
  out.end();
  await finished(out);
}
