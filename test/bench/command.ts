import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import pg from 'pg';
import { startChild } from './child.js';
import type { Cluster } from './cluster.js';
import { sendPaced } from './paced.js';
import type { Figure } from './report.js';
import { startBenchedService } from './service.js';

const AT_ONCE = 32;
/** Rounds are short and alternate: other load affects neighbouring rounds alike, so their ratio is stable. */
const SECONDS = 1;
/** Warm-up of both servers until their code is compiled, as in a long-running service. */
const WARM_UP_SECONDS = 6;
const ROUNDS = 11;
/** Duration of the round at half load, and of the one before it that opens connections and compiles the sender. */
const HALF_LOAD_SECONDS = 10;
const HALF_LOAD_WARM_UP_SECONDS = 3;
/** Pause after a round, so that its remaining reads and projections do not run in the other server's round. */
const SETTLE_MS = 250;

/**
 * Measures `POST /api/features/`, a typical command with key, DTO, name claim, decision, durable append and answer.
 * Beside it runs a bare Nest handler with one durable insert, with the same request, client, row and pool size, also
 * in a separate process. Reports the two neighbouring rounds with the median ratio, and the latencies of both at half of
 * the command's rate.
 */
export async function measureCommand(cluster: Cluster): Promise<Figure[]> {
  const service = await startBenchedService(cluster);
  const bare = await startChild('bare-child.js', { DATABASE_URL: await cluster.createDatabase() });
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 });
  try {
    const path = `${service.url}/api/features/`;
    const command = (seconds: number) => fire(path, seconds, service.key);
    const insert = (seconds: number) => fire(`${bare.url}/bare`, seconds);
    await command(WARM_UP_SECONDS);
    await insert(WARM_UP_SECONDS);
    const rounds: { readonly command: number; readonly insert: number }[] = [];
    const latencies: number[] = [];
    let done = 0;
    const before = await featuresIn(pool);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { perSecond } = await insert(SECONDS);
      const measured = await command(SECONDS);
      rounds.push({ command: measured.perSecond, insert: perSecond });
      latencies.push(...measured.latencies);
      done += measured.latencies.length;
      await sleep(SETTLE_MS);
    }
    const typical = rounds.sort((a, b) => a.command / a.insert - b.command / b.insert)[ROUNDS >> 1]!;
    const paced = (seconds: number, url: string, key?: string) => {
      const pace = { perSecond: typical.command / 2, seconds, connections: AT_ONCE };
      return sendPaced(url, pace, { method: 'POST', headers: headersFor(key) }, body);
    };
    done += (await paced(HALF_LOAD_WARM_UP_SECONDS, path, service.key)).length;
    const half = await paced(HALF_LOAD_SECONDS, path, service.key);
    done += half.length;
    await sleep(SETTLE_MS);
    await paced(HALF_LOAD_WARM_UP_SECONDS, `${bare.url}/bare`);
    const bareHalf = await paced(HALF_LOAD_SECONDS, `${bare.url}/bare`);
    const made = (await featuresIn(pool)) - before;
    // Requests that are open at the end of a round are completed but not counted.
    const check = {
      what: `every answer was 201, and the log has an event for each`,
      holds: made >= done && made <= done + (ROUNDS + 1) * AT_ONCE,
    };
    const saturated: Figure = {
      name: 'a command over HTTP: POST /api/features/',
      settings: `${AT_ONCE} connections, the median ratio of ${ROUNDS} rounds of ${SECONDS} s in turns after ${WARM_UP_SECONDS} s of either, every answer durable, requests not logged; service, database and client on one machine`,
      unit: 'commands',
      perSecond: typical.command,
      ceiling: {
        name: 'a bare Nest handler with one durable insert of such a row',
        perSecond: typical.insert,
      },
      latencies,
      check,
    };
    const atHalfLoad: Figure = {
      name: 'a command over HTTP at half load',
      settings: `at most ${AT_ONCE} connections, ${HALF_LOAD_SECONDS} s at half the rate above after ${HALF_LOAD_WARM_UP_SECONDS} s at it, evenly spaced; a latency counts from when its request was due`,
      unit: 'commands',
      perSecond: half.length / HALF_LOAD_SECONDS,
      latencies: half,
      bareLatencies: { name: 'the bare handler at the same rate', latencies: bareHalf },
      check,
    };
    return [saturated, atHalfLoad];
  } finally {
    await pool.end();
    await bare.stop();
    await service.stop();
  }
}

let serial = 0;
const body = (): string =>
  JSON.stringify({ feature_name: `feature ${serial++}`, feature_description: 'A benchmark' });

const headersFor = (key?: string): Record<string, string> => ({
  'content-type': 'application/json',
  ...(key ? { 'x-api-key': key } : {}),
});

/** Sends requests for a while. @throws Error when an answer is no success */
async function fire(
  url: string,
  duration: number,
  key?: string,
): Promise<{ latencies: number[]; perSecond: number }> {
  const latencies: number[] = [];
  const began = performance.now();
  const running = autocannon({
    url,
    connections: AT_ONCE,
    duration,
    requests: [
      { method: 'POST', headers: headersFor(key), setupRequest: (request) => ({ ...request, body: body() }) },
    ],
  });
  let last = began;
  running.on('response', (_, __, ___, milliseconds) => {
    latencies.push(milliseconds);
    last = performance.now();
  });
  const { non2xx, errors, timeouts } = await running;
  if (non2xx + errors + timeouts > 0)
    throw new Error(`${url}: ${non2xx} refused, ${errors + timeouts} failed`);
  return { latencies, perSecond: (latencies.length / (last - began)) * 1000 };
}

async function featuresIn(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    `select count(*) from events where type = 'FeatureDefined'`,
  );
  return Number(rows[0]!.count);
}
