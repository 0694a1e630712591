import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { namedId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { streamName } from '../../src/kernel/event.js';
import { MIGRATIONS } from '../../src/migrations.js';
import { runMigrations } from '../../src/platform/database/migrations.js';
import { createPool } from '../../src/platform/database/pg-pool.js';
import type { NewEvent } from '../../src/platform/eventsourcing/store/event-store.js';
import { PostgresEventStore } from '../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import type { Cluster } from './cluster.js';
import { load, median, type Figure } from './report.js';

const ORG = namedId('the organization of the benchmarks');
const CONNECTIONS = 20;
const ROUNDS = 3;
/** Streams per concurrent writer, used in turn. */
const STREAMS = 8;

/** Measures appends to the Postgres event store beside durable inserts of the same rows, in alternating rounds. */
export async function measureAppends(cluster: Cluster, inFlight: number, count: number): Promise<Figure> {
  const pool = createPool(await cluster.createDatabase(), () => {}, CONNECTIONS);
  try {
    await runMigrations(pool, MIGRATIONS);
    await pool.query('create table raw_events (like events including all)');
    const store = new PostgresEventStore(pool);
    const [appends, inserts]: [number[], number[]] = [[], []];
    const latencies: number[] = [];
    let serial = 0n;
    const insert = (): Promise<unknown> => insertRaw(pool, (serial += 1n));
    await load(count / 4, inFlight, appender(store, inFlight, 'warm-up'));
    await load(count / 4, inFlight, insert);
    for (let round = 0; round < ROUNDS; round += 1) {
      const measured = await load(count, inFlight, appender(store, inFlight, `round ${round}`));
      appends.push(measured.perSecond);
      latencies.push(...measured.latencies);
      inserts.push((await load(count, inFlight, insert)).perSecond);
    }
    const holds = await isWhole(pool, ROUNDS * count + count / 4);
    await store.close();
    return {
      name: `appends to the Postgres event store, ${inFlight} in flight`,
      settings: `one event of 400 bytes each, ${inFlight * STREAMS} streams, ${CONNECTIONS} connections, ${count} appends, median of ${ROUNDS} rounds`,
      unit: 'appends',
      perSecond: median(appends),
      ceiling: {
        name: `inserts of the same rows, one transaction each, over all connections`,
        perSecond: median(inserts),
      },
      latencies,
      check: { what: 'every append is in the log once, positions and revisions without a gap', holds },
    };
  } finally {
    await pool.end();
  }
}

/** Creates concurrent writers, each with its own streams, so that revisions are known and nothing conflicts. */
function appender(store: PostgresEventStore, inFlight: number, round: string) {
  const revisions = new Map<string, bigint>();
  const free = Array.from({ length: inFlight }, (_, lane) => lane);
  return async (index: number): Promise<void> => {
    const lane = free.pop()!;
    const stream = streamName('customer', ORG, `${round}/${lane}/${index % STREAMS}`);
    const expected = revisions.get(stream) ?? 'no_stream';
    const { revision } = await store.append(stream, expected, [newEvent()]);
    revisions.set(stream, revision);
    free.push(lane);
  };
}

const DATA = { customerKey: namedId('a customer'), sealed: 'x'.repeat(100), currency: 'USD', taxRate: null };

function newEvent(): NewEvent {
  const metadata = {
    org: ORG,
    commandId: randomUUID(),
    correlationId: randomUUID(),
    actor: 'system',
    recordedAt: instant('2026-01-01T00:00:00Z'),
    schemaVersion: 1,
  };
  return { id: randomUUID(), type: 'CustomerRegistered', data: DATA, metadata };
}

function insertRaw(pool: pg.Pool, serial: bigint): Promise<unknown> {
  const { id, type, data, metadata } = newEvent();
  return pool.query({
    name: 'raw-event',
    text: 'insert into raw_events (position, stream, revision, id, type, data, metadata) values ($1, $2, $3, $4, $5, $6, $7)',
    values: [
      serial,
      streamName('customer', ORG, String(serial)),
      0n,
      id,
      type,
      JSON.stringify(data),
      JSON.stringify(metadata),
    ],
  });
}

async function isWhole(pool: pg.Pool, expected: number): Promise<boolean> {
  const { rows } = await pool.query<{ holds: boolean }>(
    `select count(*) = $1 and max(position) = $1
        and sum(1) = (select sum(last + 1) from (select max(revision) as last from events group by stream) s) as holds
      from events`,
    [expected],
  );
  return rows[0]!.holds;
}
