import autocannon from 'autocannon';
import pg from 'pg';
import { startChild } from './child.js';
import type { Cluster } from './cluster.js';
import { median, type Figure } from './report.js';
import { startBenchedService } from './service.js';

const AT_ONCE = 32;
const SECONDS = 2;
/** Of either, until what it runs is compiled: a service runs for weeks. */
const WARM_UP_SECONDS = 6;
const ROUNDS = 3;

/**
 * `POST /api/features/`, an ordinary command: key, DTO, name claim, decision, durable append, answer. Beside it a bare
 * Nest handler of one durable insert, in a process of its own as well, the same pool, in turns; the median of each.
 */
export async function measureCommand(cluster: Cluster): Promise<Figure> {
  const service = await startBenchedService(cluster);
  const bare = await startChild('bare-child.js', { DATABASE_URL: await cluster.createDatabase() });
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 });
  try {
    const command = (seconds: number) => fire(`${service.url}/api/features/`, seconds, service.key);
    const insert = (seconds: number) => fire(`${bare.url}/bare`, seconds);
    await command(WARM_UP_SECONDS);
    await insert(WARM_UP_SECONDS);
    const [commands, inserts]: [number[], number[]] = [[], []];
    const latencies: number[] = [];
    let done = 0;
    const before = await featuresIn(pool);
    for (let round = 0; round < ROUNDS; round += 1) {
      inserts.push((await insert(SECONDS)).perSecond);
      const measured = await command(SECONDS);
      commands.push(measured.perSecond);
      latencies.push(...measured.latencies);
      done += measured.latencies.length;
    }
    const made = (await featuresIn(pool)) - before;
    return {
      name: 'a command over HTTP: POST /api/features/',
      settings: `${AT_ONCE} connections, median of ${ROUNDS} rounds of ${SECONDS} s after ${WARM_UP_SECONDS} s of either, every answer durable, requests not logged; service, database and client on one machine`,
      unit: 'commands',
      perSecond: median(commands),
      ceiling: { name: 'a bare Nest handler with one durable insert', perSecond: median(inserts) },
      latencies,
      // Requests under way when a round ends are done and not counted.
      check: {
        what: `every answer was 201, and the log has an event for each`,
        holds: made >= done && made <= done + ROUNDS * AT_ONCE,
      },
    };
  } finally {
    await pool.end();
    await bare.stop();
    await service.stop();
  }
}

let serial = 0;

/** @throws Error when an answer is no success */
async function fire(
  url: string,
  duration: number,
  key?: string,
): Promise<{ latencies: number[]; perSecond: number }> {
  const latencies: number[] = [];
  const headers = { 'content-type': 'application/json', ...(key ? { 'x-api-key': key } : {}) };
  const body = () =>
    JSON.stringify({ feature_name: `feature ${serial++}`, feature_description: 'A benchmark' });
  const began = performance.now();
  const running = autocannon({
    url,
    connections: AT_ONCE,
    duration,
    requests: [{ method: 'POST', headers, setupRequest: (request) => ({ ...request, body: body() }) }],
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
