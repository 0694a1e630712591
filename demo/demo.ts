import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Recount } from '../clients/typescript/src/index.js';
import { hashOf, readLog } from './access-log.js';
import { billLog, type SurveyedLog } from './bill-log.js';
import { startOfMonthOf, startOfNextMonth, survey } from './log-calendar.js';
import { portsOf } from './ports.js';
import { largestInvoices } from './report.js';
import { showcase } from './showcase.js';

const SAMPLE = fileURLToPath(import.meta.resolve('#demo/sample-access.log'));
const STARTUP_SECONDS = 60;
/**
 * Retries while a store is unavailable. Every request of the demo has an idempotency key, or changes nothing
 * twice.
 */
const STORE_PATIENCE_MS = 120_000;

/** Turns an access log into invoices: `npm run demo [-- --log FILE]`. A second run changes nothing. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { log: { type: 'string', default: SAMPLE } } });
  const ports = portsOf(process.env.PORT);
  const log = await readSurvey(path.resolve(values.log));
  const apiKey = process.env.API_KEY ?? `demo_${randomBytes(24).toString('base64url')}`;
  const port = String(ports.service);
  const start = startOfMonthOf(log.slices[0]!.from);
  const service = startService({ API_KEY: apiKey, PORT: port, CLOCK_START: start });
  const client = new Recount({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey,
    retryForMs: STORE_PATIENCE_MS,
  });
  await untilReady(client, service);

  await billLog(client, log, say);
  say(`the service's memory was ${await peakMegabytes(service)} MB at most`);
  const { count, text } = await largestInvoices(client, 3);
  say(`invoices issued: ${count}`);
  say(`the three largest:\n${text}`);
  if (log.file === SAMPLE) {
    say('three companies follow, with credits, limits, alerts and changes, over six weeks more;');
    say('one of their webhook endpoints does not answer, and the service logs each retry:');
    await showcase(client, startOfNextMonth(log.slices.at(-1)!.from), takeWebhooks(ports.webhooks));
  }
  say(`look at it in a browser: ${client.baseUrl}/console/, and log in with the key ${apiKey}`);
  say('or look further with curl:');
  for (const path of ['invoices', 'plans', 'subscriptions', 'customers', 'test_clock'])
    say(`  curl -H 'X-API-KEY: ${apiKey}' ${client.baseUrl}/api/${path}/`);
  say('the service stays up; Ctrl-C ends it, and the next start finds everything again');
}

/** Takes every webhook on a port of this machine, and returns its URL. If the port is in use, deliveries fail. */
function takeWebhooks(port: number): string {
  createServer((request, response) => void request.resume().on('end', () => response.end()))
    .on('error', (error) => say(`webhooks are not taken: ${error.message}`))
    .listen(port, '127.0.0.1');
  return `http://127.0.0.1:${port}/books`;
}

async function readSurvey(file: string): Promise<SurveyedLog> {
  const found = await survey(readLog(file));
  const { clients, requests, malformed, malformedCount } = found;
  say(`${file}: ${requests} requests of ${clients.length} clients, ${malformedCount} malformed lines`);
  for (const { line, reason } of malformed) say(`  line ${line} skipped: ${reason}`);
  if (malformedCount > malformed.length) say(`  and ${malformedCount - malformed.length} more`);
  if (requests === 0) throw new Error('there is no request in this log');
  return { ...found, file, hash: await hashOf(file) };
}

function startService(settings: Record<string, string>): ChildProcess {
  const usual = { LOG_LEVEL: 'warn', DATA_DIR: '.data/demo', ALLOW_PRIVATE_WEBHOOKS: 'true' };
  const env = { ...usual, ...process.env, ...settings, CLOCK: 'manual' };
  const service = fork(path.join(import.meta.dirname, 'service.js'), { env, stdio: 'inherit' });
  service.once('exit', (code) => process.exit(code ?? 1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill('SIGTERM'));
  return service;
}

async function untilReady(client: Recount, service: ChildProcess): Promise<void> {
  for (let tries = 0; tries < STARTUP_SECONDS * 10 && service.exitCode === null; tries++) {
    const answer = await fetch(`${client.baseUrl}/api/readiness/`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error('the service did not start');
}

async function peakMegabytes(service: ChildProcess): Promise<number> {
  const answer = once(service, 'message') as Promise<[kilobytes: number]>;
  service.send('peak memory');
  return Math.round((await answer)[0] / 1024);
}

const say = (text: string): void => console.log(text);

main().catch((error: unknown) => {
  console.error(`demo: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
