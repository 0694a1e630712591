import http from 'node:http';
import pg from 'pg';
import { load, type Figure } from './report.js';

/** A service on a database that this benchmark empties; its clock stands at USAGE_CLOCK. */
export interface BenchedService {
  readonly url: string;
  readonly key: string;
  readonly databaseUrl: string;
}
export const USAGE_CLOCK = '2026-01-31T12:00:00Z';

const EVENTS = 500;
const BATCHES = 200;
const CUSTOMERS = 1_753;
const AT_ONCE = 4;
const ROUNDS = 3;

/**
 * Measures usage over HTTP beside `unnest` inserts of the same rows into the same table, in alternating rounds.
 * Reports the medians.
 */
export async function measureIngest({ url, key, databaseUrl }: BenchedService): Promise<Figure> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: AT_ONCE });
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const send = (body: Buffer) => post(new URL('/api/track/', url), key, agent, body);
  try {
    const bodies = Array.from({ length: BATCHES }, (_, batch) => bodyOf(batch));
    await load(BATCHES / 4, AT_ONCE, (index) => send(bodies[index]!));

    const [ingest, raw]: [number[], number[]] = [[], []];
    const latencies: number[] = [];
    let holds = true;
    for (let round = 0; round < ROUNDS; round += 1) {
      await empty(pool);
      const measured = await load(BATCHES, AT_ONCE, (index) => send(bodies[index]!));
      ingest.push(measured.perSecond * EVENTS);
      latencies.push(...measured.latencies);
      holds &&= await isComplete(pool);
      await send(bodies[0]!);
      holds &&= await isComplete(pool);

      const rows = await rowsOf(pool);
      await empty(pool);
      const inserted = await load(rows.length, AT_ONCE, (index) => insert(pool, rows[index]!));
      raw.push(inserted.perSecond * EVENTS);
    }
    return {
      name: 'usage over HTTP',
      settings: `batches of ${EVENTS} events of 210 bytes, ${AT_ONCE} requests at once, ${CUSTOMERS} customers, ${BATCHES * EVENTS} events, median of ${ROUNDS} rounds, every batch durable; service, database and client on one machine`,
      unit: 'events',
      perSecond: median(ingest),
      ceiling: {
        name: 'unnest inserts of the same rows into the same table, no engine',
        perSecond: median(raw),
      },
      latencies,
      check: { what: 'every event is stored once, with its bytes, also after a batch was sent again', holds },
    };
  } finally {
    agent.destroy();
    await pool.end();
  }
}

const bytesOf = (n: number): number => (n * 37) % 100_000;
const two = (n: number): string => String(n).padStart(2, '0');

function bodyOf(batch: number): Buffer {
  const events = Array.from({ length: EVENTS }, (_, index) => {
    const n = batch * EVENTS + index;
    return {
      idempotency_id: `9f86d081884c7d65:${n}`,
      customer_id: `client-${(n * 7_919) % CUSTOMERS}`,
      event_name: 'request',
      time_created: `2026-01-${two(2 + (n % 28))}T${two(n % 24)}:${two(n % 60)}:00Z`,
      properties: { bytes: bytesOf(n), method: 'GET', path: `/some/path/${n}`, status: 200 },
    };
  });
  return Buffer.from(JSON.stringify({ batch: events }));
}

function post(url: URL, key: string, agent: http.Agent, body: Buffer): Promise<void> {
  const headers = { 'content-type': 'application/json', 'content-length': body.length, 'x-api-key': key };
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent, method: 'POST', headers }, (response) => {
      let answer = '';
      response.on('data', (part: Buffer) => (answer += part.toString()));
      response.on('end', () => {
        if (answer === '{"success":"all","failed_events":null}') resolve();
        else reject(new Error(`${response.statusCode}: ${answer.slice(0, 500)}`));
      });
    });
    request.on('error', reject).end(body);
  });
}

const empty = async (pool: pg.Pool): Promise<void> => {
  await pool.query('truncate usage_events, usage_batches');
  await pool.query('checkpoint');
};

async function isComplete(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ events: string; bytes: string }>(
    `select count(*) as events, sum((properties ->> 'bytes')::bigint) as bytes from usage_events`,
  );
  let bytes = 0;
  for (let n = 0; n < BATCHES * EVENTS; n += 1) bytes += bytesOf(n);
  return rows[0]!.events === String(BATCHES * EVENTS) && rows[0]!.bytes === String(bytes);
}

/** Returns the stored batches, each column as an array of text. */
async function rowsOf(pool: pg.Pool): Promise<unknown[][]> {
  const { rows } = await pool.query<unknown[]>({
    text: `select (array_agg(org))[1], array_agg(idempotency_id), array_agg(customer_key::text), array_agg(event_name),
        array_agg(event_time::text), array_agg(properties::text), array_agg(body_hash::text)
      from usage_events group by batch_id order by batch_id`,
    rowMode: 'array',
  });
  return rows;
}

const insert = (pool: pg.Pool, values: unknown[]) =>
  pool.query({
    name: 'raw',
    text: `insert into usage_events
        (org, idempotency_id, customer_key, event_name, event_time, properties, body_hash, batch_id)
      select $1, g.*, 1
      from unnest($2::text[], $3::uuid[], $4::text[], $5::timestamptz[], $6::jsonb[], $7::bytea[]) as g`,
    values,
  });

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
