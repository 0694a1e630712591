import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { hashOf, readLog } from './access-log.js';
import { createPlan, subscribeClients } from './content-network.js';
import { ingest } from './ingest.js';
import { startOfMonthOf, startOfNextMonth, survey, type LogSlice } from './log-calendar.js';
import { RecountClient } from './recount-client.js';
import { largestInvoices } from './report.js';

const SAMPLE = path.resolve(import.meta.dirname, '../../demo/sample-access.log');
const STARTUP_SECONDS = 60;

/** From an access log to invoices: `npm run demo [-- --log FILE]`. Running it again changes nothing. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { log: { type: 'string', default: SAMPLE } } });
  const file = path.resolve(values.log);
  const found = await survey(readLog(file));
  const hash = await hashOf(file);
  say(
    `${file}: ${found.requests} requests of ${found.clients.length} clients, ${found.malformedCount} malformed lines`,
  );
  for (const { line, reason } of found.malformed) say(`  line ${line} skipped: ${reason}`);
  const [first] = found.slices;
  const last = found.slices.at(-1);
  if (!first || !last) throw new Error('there is no request in this log');

  const apiKey = process.env.API_KEY ?? `demo_${randomBytes(24).toString('base64url')}`;
  const port = process.env.PORT ?? '3000';
  const start = startOfMonthOf(first.from);
  const service = startService({ API_KEY: apiKey, PORT: port, CLOCK_START: start });
  const client = new RecountClient(`http://127.0.0.1:${port}`, apiKey);
  await untilReady(client, service);

  const planId = await createPlan(client);
  await timed(`${found.clients.length} customers subscribed`, () =>
    subscribeClients(client, planId, found.clients, start),
  );
  await ingestByClock(client, file, hash, found.slices);
  const { count, text } = await largestInvoices(client, 3);
  say(`invoices issued: ${count}`);
  say(`the three largest:\n${text}`);
  say(`look further with the key ${apiKey}`);
  say(`  curl -H 'X-API-KEY: ${apiKey}' ${client.baseUrl}/api/invoices/`);
  say(`  curl -H 'X-API-KEY: ${apiKey}' ${client.baseUrl}/api/plans/`);
  say(`  curl -H 'X-API-KEY: ${apiKey}' ${client.baseUrl}/api/subscriptions/`);
  say(`  curl -H 'X-API-KEY: ${apiKey}' ${client.baseUrl}/api/test_clock/`);
  say('the service stays up; Ctrl-C ends it, and the next start finds everything again');
}

/** The usage window follows the clock: stand just after a slice's last day, ingest it; at the end, into the next month. */
async function ingestByClock(
  client: RecountClient,
  file: string,
  hash: string,
  slices: readonly LogSlice[],
): Promise<void> {
  let events = 0;
  let failed = 0;
  let milliseconds = 0;
  for (const slice of slices) {
    await advance(client, slice.ingestAt);
    const done = await ingest(client, file, hash, slice);
    events += done.events;
    failed += done.failed;
    milliseconds += done.milliseconds;
  }
  say(
    `${events} events ingested, ${failed} refused, ${Math.round((events / milliseconds) * 1000)} events per second`,
  );
  const billedAt = startOfNextMonth(slices.at(-1)!.from).replace('T00:00', 'T01:00');
  await timed('billed', () => advance(client, billedAt));
}

/** Moves the clock forward; a clock that already stands later, as on a second run, is left alone. */
async function advance(client: RecountClient, to: string): Promise<void> {
  const { now } = await client.get<{ now: string }>('/api/test_clock/');
  if (Date.parse(now) < Date.parse(to)) await client.post('/api/test_clock/advance/', { to });
}

function startService(settings: Record<string, string>): ChildProcess {
  const env = { LOG_LEVEL: 'warn', DATA_DIR: '.data/demo', ...process.env, ...settings, CLOCK: 'manual' };
  const service = fork(path.join(import.meta.dirname, 'service.js'), { env, stdio: 'inherit' });
  service.once('exit', (code) => process.exit(code ?? 1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill('SIGTERM'));
  return service;
}

async function untilReady(client: RecountClient, service: ChildProcess): Promise<void> {
  for (let second = 0; second < STARTUP_SECONDS * 10 && service.exitCode === null; second++) {
    const answer = await fetch(`${client.baseUrl}/api/healthcheck/`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error('the service did not start');
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const began = performance.now();
  await work();
  say(`${what} in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

const say = (text: string): void => console.log(text);

main().catch((error: unknown) => {
  console.error(`demo: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
