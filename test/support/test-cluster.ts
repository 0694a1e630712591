/**
 * One ephemeral PostgreSQL for a test run, in a process of its own: it says the server's URL on its first line and
 * stops when its input ends, so nothing is left behind even when the test run is killed.
 */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS } from '../../src/migrations.js';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { runMigrations } from '../../src/platform/database/migrations.js';
import { createPool } from '../../src/platform/database/pg-pool.js';

const ended = new Promise<void>((resolve) => {
  process.stdin.once('end', resolve).once('error', resolve).resume();
  process.once('SIGINT', resolve).once('SIGTERM', resolve);
});

const folder = join(tmpdir(), `recount-test-${randomBytes(6).toString('hex')}`);
const server = await startEmbeddedPostgres(folder, { ephemeral: true });
try {
  // the database the server comes with is the template of every test database
  const pool = createPool(server.url, () => {}, 1);
  await runMigrations(pool, MIGRATIONS);
  await pool.end();
  process.stdout.write(`${server.url}\n`);
  await ended;
} finally {
  await server.stop();
}
