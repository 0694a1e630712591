import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { readExternalCheckpoints } from '../../src/transparency/external-checkpoints.js';
import type { SignedHead } from '../../src/transparency/tree-audit.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { checkpointsAtHead } from '../support/stored.js';
import { until } from '../support/until.js';
import { findingsIn, type Findings } from './checks.js';
import type { OpenBooks } from './trial.js';

/** Books on a real PostgreSQL that can be changed in SQL, examined and restored. */
export interface TamperedBooks {
  readonly pool: Pool;
  /** Tables of the log, usage, keys and live read models. */
  readonly tables: readonly string[];
  /** Checkpoints exported before any change. The database contains none. */
  readonly exportedCheckpoints: readonly SignedHead[];
  /** Stores the signed checkpoints in the database while the work runs. */
  signed(work: () => Promise<boolean>): Promise<boolean>;
  /** Applies a change, examines the books and restores every table. */
  examine(change: (books: OpenBooks) => Promise<void>): Promise<Findings>;
  drop(): Promise<void>;
}

const OWN_TABLES = [
  ...['events', 'usage_events', 'usage_batches', 'transparency_batches'],
  ...['api_keys', 'customer_keys', 'webhook_endpoints', 'usage_alerts', 'organization_logos'],
  'projection_checkpoints',
];
/** Tables that triggers of the others fill, so they are restored last. */
const QUEUES = ['usage_days_queue'];
/**
 * Tables of signed checkpoints and their public keys. An attacker who changes the log deletes checkpoints, so these
 * tables are filled only while they are changed themselves.
 */
export const SIGNED = ['transparency_checkpoints', 'transparency_keys'];

/** Writes books with a service and stops it. @param write called with the running service */
export async function tamperedBooks(
  clockStart: string,
  write: (app: TestApp) => Promise<void>,
): Promise<TamperedBooks> {
  const database = await createTestDatabase('recount_with_read_models');
  const directory = await mkdtemp(join(tmpdir(), 'recount-checkpoints-'));
  try {
    const env = { AUDIT_DIRECTORY: directory };
    const app = await startTestApp({ clockStart, databaseUrl: database.url, env });
    try {
      await write(app);
      await app.request.post('/api/audit/checkpoints/').expect(201);
      await checkpointsAtHead(app);
      await until(async () => (await app.pool.query('select from usage_days_queue limit 1')).rowCount === 0);
    } finally {
      await app.stop();
    }
    return await copied(database, (await readExternalCheckpoints(directory)).heads);
  } catch (error) {
    await database.drop();
    throw error;
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function copied(
  { pool, url, drop }: TestDatabase,
  exportedCheckpoints: readonly SignedHead[],
): Promise<TamperedBooks> {
  const { rows: views } = await pool.query<{ name: string }>(
    `select distinct c.relname as name from pg_rewrite r
       join pg_class v on v.oid = r.ev_class and v.relkind = 'v' and v.relnamespace = 'public'::regnamespace
       join pg_depend d on d.objid = r.oid join pg_class c on c.oid = d.refobjid and c.relkind = 'r'
     order by 1`,
  );
  const tables = [...OWN_TABLES, ...views.map(({ name }) => name)];
  await pool.query('create schema kept');
  for (const table of SIGNED) await pool.query(`create table kept.${table} as table public.${table}`);
  // An attacker who changes the log also deletes the checkpoints.
  await pool.query('delete from transparency_checkpoints');
  for (const table of [...tables, ...QUEUES]) {
    await pool.query(`create table kept.${table} as table public.${table}`);
  }
  const { rows } = await pool.query<{ invoice_number: string }>(
    'select invoice_number from invoices where invoice_number is not null order by 1',
  );
  const numbers = rows.map((row) => row.invoice_number);
  const restore = async () => {
    for (const table of [...tables, ...QUEUES]) {
      await pool.query(`delete from ${table}`);
      await pool.query(`insert into ${table} table kept.${table}`);
    }
    // Triggers queued the restored rows, whose sums are restored already.
    await pool.query('delete from usage_days_queue');
  };
  return {
    pool,
    tables,
    exportedCheckpoints,
    signed: async (work) => {
      tables.push(...SIGNED);
      try {
        await restore();
        return await work();
      } finally {
        tables.splice(-SIGNED.length);
        await pool.query('delete from transparency_checkpoints');
      }
    },
    examine: async (change) => {
      try {
        await change({ pool, examine: () => findingsIn(url, numbers, exportedCheckpoints) });
        return await findingsIn(url, numbers, exportedCheckpoints);
      } finally {
        await restore();
      }
    },
    drop,
  };
}
