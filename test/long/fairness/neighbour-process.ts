import { Agent, request } from 'node:http';

/**
 * Sends requests at a fixed rate and writes one JSON line per answer, until its standard input ends. It is a separate
 * process, so that the load of the attack in the test's process does not add to the latencies.
 */
const {
  URL: url,
  KEY: key,
  PATHS: paths,
  EVERY_MS: every,
  WRITE_EVERY_MS: writeEvery,
} = process.env as Record<string, string>;
const agent = new Agent({ keepAlive: true, maxSockets: 100 });
const TIMEOUT_MS = 60_000;

function sample(path: string, due: number, body?: object): void {
  const at = performance.timeOrigin + due;
  const kind = body ? 'write' : 'read';
  const report = (status: number): void => {
    process.stdout.write(`${JSON.stringify({ at, kind, ms: performance.now() - due, status })}\n`);
  };
  const headers = { 'X-API-KEY': key, ...(body && { 'Content-Type': 'application/json' }) };
  const sent = request(
    new URL(path, url),
    { agent, method: body ? 'POST' : 'GET', headers, timeout: TIMEOUT_MS },
    (answer) => {
      answer.resume();
      answer.on('end', () => report(answer.statusCode!));
      answer.on('error', () => report(0));
    },
  );
  sent.on('timeout', () => sent.destroy(new Error('no answer')));
  sent.on('error', () => report(0));
  sent.end(body && JSON.stringify(body));
}

/** Alternates between creating a customer and sending an event of it. */
function write(n: number, due: number): void {
  const customer_id = `${process.pid}-${Math.floor(n / 2)}`;
  if (n % 2 === 0) return sample('/api/customers/', due, { customer_id });
  const event = {
    event_name: 'e',
    customer_id,
    idempotency_id: `${customer_id}-${n}`,
    time_created: new Date(),
  };
  return sample('/api/track/', due, { batch: [event] });
}

// Each request is due at a fixed time, even before the previous answer: a stalled service still receives requests,
// and every waiting one counts.
const start = performance.now();
let next = 0;
let writes = 0;
const names = paths!.split(' ');
const asking = setInterval(() => {
  for (; start + next * Number(every) <= performance.now(); next++) {
    sample(names[next % names.length]!, start + next * Number(every));
  }
  for (; start + writes * Number(writeEvery) <= performance.now(); writes++) {
    write(writes, start + writes * Number(writeEvery));
  }
}, 2);

process.stdin.resume();
process.stdin.on('end', () => {
  clearInterval(asking);
  process.exit(0);
});
