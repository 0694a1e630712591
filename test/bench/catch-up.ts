import type pg from 'pg';
import { createReadModels } from '../../projections/runtime/read-model-tables.js';
import { PROJECTIONS } from '../../projections/registry.js';
import { ProjectionProgress } from '../../projections/runtime/progress.js';
import { ProjectionHost } from '../../projections/runtime/projection-host.js';
import type { Projection } from '../../projections/runtime/projection.js';
import { MIGRATIONS } from '../../src/migrations.js';
import { runMigrations } from '../../src/platform/database/migrations.js';
import { PostgresEventStore } from '../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { withPool, type Cluster } from './cluster.js';
import type { Figure } from './report.js';
import { manyTimes, recordSampleLog, type LogRow, type SampleLog } from './sample-log.js';

const EVENTS = 100_000;
const LONGEST_MS = 60_000;

/**
 * Measures one projection over a log in which every event writes one of its rows, then all projections over a
 * realistic log.
 */
export async function measureCatchUp(cluster: Cluster): Promise<Figure[]> {
  const sample = await recordSampleLog(cluster);
  const customers = PROJECTIONS.filter(({ name }) => name === 'customers');
  return [
    await catchUp(cluster, {
      name: 'projection catch-up: customers',
      settings: `${EVENTS} events of which every one writes a row: as many registrations as changes`,
      projections: customers,
      log: customersOnly(sample),
      isRight: `select count(*) = ${EVENTS / 2} and min(stream_revision) = 1 as holds from customers`,
    }),
    await catchUp(cluster, {
      name: `projection catch-up: all ${PROJECTIONS.length} together`,
      settings: `${EVENTS} events of the product's own mix: customers, subscriptions, renewals, closes, invoices`,
      projections: PROJECTIONS,
      log: manyTimes(sample, EVENTS),
      isRight: `select (select count(*) from invoices) = (select count(*) from events where type = 'InvoiceComputed')
        and (select count(*) from subscriptions) = (select count(distinct stream) from events where stream like 'subscription-%')
        as holds`,
    }),
  ];
}

interface CatchUp {
  readonly name: string;
  readonly settings: string;
  readonly projections: readonly Projection[];
  readonly log: Iterable<LogRow>;
  readonly isRight: string;
}

async function catchUp(cluster: Cluster, run: CatchUp): Promise<Figure> {
  return withPool(await cluster.createDatabase(), async (pool) => {
    await runMigrations(pool, MIGRATIONS);
    await createReadModels(pool, run.projections);
    await writeLog(pool, run.log);
    const raw = await rawCopy(pool);
    const ms = await project(pool, run.projections);
    const { rows } = await pool.query<{ holds: boolean }>(run.isRight);
    return {
      name: run.name,
      settings: run.settings,
      unit: 'events',
      perSecond: (EVENTS / ms) * 1000,
      ceiling: { name: 'the same events read and stored again 500 at a time, no engine', perSecond: raw },
      check: { what: 'the read models have every row of the log', holds: rows[0]!.holds },
    };
  });
}

/** Projects the whole log. @returns milliseconds */
async function project(pool: pg.Pool, projections: readonly Projection[]): Promise<number> {
  const store = new PostgresEventStore(pool);
  const progress = new ProjectionProgress(pool, projections);
  const head = (await store.head())!;
  const host = new ProjectionHost(store, pool, pool, projections, progress, createLogger('warn'));
  const began = performance.now();
  host.start();
  const isThere = await progress.waitFor(head, LONGEST_MS);
  const ms = performance.now() - began;
  await host.stop();
  await store.close();
  if (!isThere) throw new Error('the projections did not catch up');
  return ms;
}

const PAGE = 500;

/** Copies the log page by page to a table with the same columns and keys. @returns events per second */
async function rawCopy(pool: pg.Pool): Promise<number> {
  await pool.query('create table raw_events (like events including all)');
  const began = performance.now();
  for (let after = 0; after < EVENTS; after += PAGE) {
    const { rows } = await pool.query<object>({
      name: 'raw-page',
      text: 'select * from events where position > $1 order by position limit $2',
      values: [after, PAGE],
    });
    await pool.query({
      name: 'raw-copy',
      text: `with lax as (select set_config('synchronous_commit', 'off', true))
        insert into raw_events select r.* from lax, json_populate_recordset(null::raw_events, $1::json) r`,
      values: [JSON.stringify(rows)],
    });
  }
  return (EVENTS / (performance.now() - began)) * 1000;
}

/** Generates a log in which each customer is registered and then, after all registrations, changed once. */
function* customersOnly({ common, phases }: SampleLog): Generator<LogRow> {
  const registered = phases.flat().find(({ type }) => type === 'CustomerRegistered')!;
  const changed = { ...registered, id: registered.id.replace(/.$/, '0'), type: 'CustomerDetailsChanged' };
  const once = { common: [], phases: [[registered], [changed]] };
  const [organization] = common;
  yield* manyTimes({ ...once, common: [organization!] }, EVENTS + 1);
}

/** Writes a log to the table of the PostgreSQL event store. */
export async function writeLog(pool: pg.Pool, log: Iterable<LogRow>): Promise<void> {
  const revisions = new Map<string, number>();
  let position = 0;
  let rows: (LogRow & { position: number; revision: number })[] = [];
  for (const row of log) {
    const revision = (revisions.get(row.stream) ?? -1) + 1;
    revisions.set(row.stream, revision);
    rows.push({ ...row, position: (position += 1), revision });
    if (rows.length === 1_000) await insert(pool, rows.splice(0));
  }
  await insert(pool, rows);
  rows = [];
  await pool.query('analyze events');
}

async function insert(pool: pg.Pool, rows: readonly (LogRow & { position: number; revision: number })[]) {
  await pool.query({
    name: 'write-log',
    text: `insert into events (position, stream, revision, id, type, data, metadata)
      select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::uuid[], $5::text[], $6::json[], $7::json[])`,
    values: [
      rows.map((row) => row.position),
      rows.map((row) => row.stream),
      rows.map((row) => row.revision),
      rows.map((row) => row.id),
      rows.map((row) => row.type),
      rows.map((row) => row.data),
      rows.map((row) => row.metadata),
    ],
  });
}
