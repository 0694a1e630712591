/**
 * Runs an ephemeral PostgreSQL for a test run in a separate process. It prints the server's URL as its first line and
 * stops when its input ends, so that nothing is left when the test run is killed.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { ANALYTICS_VIEWS } from '../../projections/analytics/views.js';
import { createDerivedViews } from '../../projections/runtime/derived-views.js';
import { createReadModels } from '../../projections/runtime/read-model-tables.js';
import { PROJECTIONS } from '../../projections/registry.js';
import { MIGRATIONS } from '../../src/migrations.js';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { runMigrations } from '../../src/platform/database/migrations.js';
import { createPool } from '../../src/platform/database/pg-pool.js';
import { urlOfDatabase } from './database-url.js';

/** Required free memory. A run takes some hundred MB, as each spec drops its database. */
const ROOM = 2 ** 31;

const ended = new Promise<void>((resolve) => {
  process.stdin.once('end', resolve).once('error', resolve).resume();
  process.once('SIGINT', resolve).once('SIGTERM', resolve);
});

const folder = join(roomyFolder(), `recount-test-${randomBytes(6).toString('hex')}`);
const server = await startEmbeddedPostgres(folder, { ephemeral: true });
try {
  // `recount` is the template of all test databases.
  await onPool(server.url, (pool) => runMigrations(pool, MIGRATIONS));
  await onPool(server.url, trustConnections);
  await onPool(urlOfDatabase('postgres', server.url), (pool) =>
    pool.query('create database recount_with_read_models template recount'),
  );
  await onPool(urlOfDatabase('recount_with_read_models', server.url), async (pool) => {
    await createReadModels(pool, PROJECTIONS);
    await createDerivedViews(pool, ANALYTICS_VIEWS);
  });
  process.stdout.write(`${server.url}\n`);
  await ended;
} finally {
  await server.stop();
}

/** Allows connections without a password, whose check would take most of the time of a connection. */
async function trustConnections(pool: Pool): Promise<void> {
  writeFileSync(
    join(folder, 'data', 'pg_hba.conf'),
    'local all all trust\nhost all all 127.0.0.1/32 trust\n',
  );
  await pool.query('select pg_reload_conf()');
}

async function onPool(url: string, work: (pool: Pool) => Promise<unknown>): Promise<void> {
  const pool = createPool(url, () => {}, 1);
  try {
    await work(pool);
  } finally {
    await pool.end();
  }
}

/**
 * Returns a folder in memory when there is room: each test database consists of some hundred files that live for
 * seconds.
 */
function roomyFolder(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= ROOM ? memory : tmpdir();
}
