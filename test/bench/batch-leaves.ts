import type pg from 'pg';
import { MIGRATIONS } from '../../src/migrations.js';
import { customerKeyOf, namedId } from '../../src/kernel/ids.js';
import {
  bodyTextOfStored,
  STORED_EVENT_COLUMNS,
  type StoredUsageEvent,
} from '../../src/metering/stored-event.js';
import { runMigrations } from '../../src/platform/database/migrations.js';
import { Database } from '../../src/platform/database/open-database.js';
import { PostgresEventStore } from '../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { utf8 } from '../../src/transparency/domain/bytes.js';
import { sha256 } from '../../src/transparency/sha256.js';
import { Trees } from '../../src/transparency/trees.js';
import { withPool, type Cluster } from './cluster.js';
import { processorTimeOf } from './processor-time.js';
import type { Figure } from './report.js';
import { manyTimes, recordSampleLog } from './sample-log.js';
import { writeLog } from './catch-up.js';

const BATCHES = 100;
const ROWS_OF_BATCH = 1_000;
const ROWS = BATCHES * ROWS_OF_BATCH;
const ORG = namedId('organization of the benchmark of batch leaves');

/** Measures adding sealed usage batches to a tree, beside SHA-256 over the bodies of their rows. */
export async function measureBatchLeaves(cluster: Cluster): Promise<Figure> {
  const sample = await recordSampleLog(cluster);
  return withPool(await cluster.createDatabase(), async (pool) => {
    await runMigrations(pool, MIGRATIONS);
    await writeLog(pool, manyTimes(sample, 1));
    await insertBatches(pool);
    const store = new PostgresEventStore(pool);
    const trees = new Trees(new Database(pool, '', async () => {}), store);
    await trees.catchUp();
    const began = performance.now();
    const { here, database } = await processorTimeOf(pool, () => trees.appendBatches(ORG, BATCHES));
    const ms = performance.now() - began;
    const taken = await treeOf(pool);
    await trees.rebuild();
    const rebuilt = await treeOf(pool);
    await store.close();
    const rawMs = await hashBodies(pool);
    return {
      name: 'transparency log: sealed usage batches',
      settings: `${BATCHES} batches of ${ROWS_OF_BATCH} rows; processor time ${here.toFixed(1)} s here and ${database.toFixed(1)} s in PostgreSQL: ${Math.round(ROWS / (here + database))} rows a second of one core`,
      unit: 'rows',
      perSecond: (ROWS / ms) * 1000,
      ceiling: {
        name: 'SHA-256 over the bodies of the same rows in memory',
        perSecond: (ROWS / rawMs) * 1000,
      },
      check: {
        what: 'the tree has a leaf per batch, and its rebuild the same root',
        holds: taken.size === String(BATCHES) && JSON.stringify(taken) === JSON.stringify(rebuilt),
      },
    };
  });
}

async function insertBatches(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into usage_events
      select $1::uuid, 'id-' || n, $2, 'request', '2026-01-01T00:00:00Z'::timestamptz + n * interval '20 seconds',
        jsonb_build_object('n', n % 1000), sha256(n::text::bytea), 1 + n / $4::int
      from generate_series(0, $3::int - 1) n`,
    [ORG, customerKeyOf(ORG, 'c-1'), ROWS, ROWS_OF_BATCH],
  );
  await pool.query(
    `insert into usage_batches select $1::uuid, n, n, $3, '2026-01-01T00:00:00Z', '', '2026-01-31T00:00:00Z'
      from generate_series(1, $2::int) n`,
    [ORG, BATCHES, ROWS_OF_BATCH],
  );
  await pool.query('vacuum analyze usage_events, usage_batches');
}

async function treeOf(pool: pg.Pool): Promise<{ readonly size: string; readonly frontier: Buffer }> {
  const { rows } = await pool.query<{ size: string; frontier: Buffer }>(
    'select size, frontier from transparency_trees where org = $1',
    [ORG],
  );
  return rows[0]!;
}

/** Hashes the bodies of all usage rows. @returns milliseconds */
async function hashBodies(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<StoredUsageEvent>(
    `select ${STORED_EVENT_COLUMNS} from usage_events e where e.org = $1`,
    [ORG],
  );
  const bodies = rows.map((row) => utf8(bodyTextOfStored(row)));
  const began = performance.now();
  for (const body of bodies) sha256(body);
  return performance.now() - began;
}
