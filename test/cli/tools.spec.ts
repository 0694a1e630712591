import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MIGRATIONS } from '../../src/migrations.js';
import { readCommand } from '../../src/cli/read-command.js';
import { openTools } from '../../src/cli/tools.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import type { Database } from '../../src/platform/database/open-database.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { printedBy, recount as recountInService } from '../support/recount.js';
import { billedUntilMarch } from '../support/shop.js';
import { checkpointsAtHead } from '../support/stored.js';

/** Returns the output of `npm run recount -- …` in an environment without CLOCK, as in a shell. */
async function recount(databaseUrl: string, ...argv: string[]) {
  const invocation = await readCommand(argv);
  if ('help' in invocation) throw new Error('no command');
  const config = readConfig({ DATABASE_URL: databaseUrl, MASTER_KEY: '0'.repeat(64) });
  const tools = await openTools(config, invocation.composition, invocation.mayUpgrade);
  try {
    return await printedBy(invocation.command(tools.app), invocation.asJson);
  } finally {
    await tools.close();
  }
}

const tablesOf = async ({ pool }: Pick<Database, 'pool'>) =>
  (await pool.query(`select from pg_tables where schemaname = 'public'`)).rowCount;

describe('the tools, beside what they look at', () => {
  let empty: TestDatabase;
  beforeAll(async () => {
    empty = await createTestDatabase();
  });
  afterAll(() => empty.drop());

  it('make no cluster where there is none, and say where to look', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'recount-tools-'));
    try {
      const opened = openTools(readConfig({ DATA_DIR: dataDir, MASTER_KEY: '0'.repeat(64) }));
      await expect(opened).rejects.toThrow(`There is no data in ${dataDir}: set DATA_DIR or DATABASE_URL`);
      expect(readdirSync(dataDir)).toEqual([]);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });

  it('open the embedded cluster of a data folder', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'recount-tools-'));
    try {
      await (await startEmbeddedPostgres(join(dataDir, 'pg'))).stop();
      const opened = openTools(readConfig({ DATA_DIR: dataDir, MASTER_KEY: '0'.repeat(64) }));
      await expect(opened).rejects.toThrow('There is no data in this database: no service has run with it.');
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });

  it('say that no read model is there yet, in a database with nothing but the schema', async () => {
    for (const argv of [['verify', '--all'], ['doctor']]) {
      await expect(recount(empty.url, ...argv)).rejects.toThrow(
        'There are no read models in this database yet.',
      );
    }
  });

  it('upgrade no database, so that the service that uses it can be started again; a rebuild does', async () => {
    const lacking = MIGRATIONS.findLast(({ name }) => name.startsWith('stored-data-'))!.name;
    const applied = async () =>
      (await empty.pool.query('select from schema_migrations where name = $1', [lacking])).rowCount;
    await empty.pool.query('delete from schema_migrations where name = $1', [lacking]);
    for (const argv of [
      ['verify', '--all'],
      ['doctor'],
      ['projections', 'status'],
      ['projections', 'retry', '--all'],
      ['organization', 'list'],
    ]) {
      await expect(recount(empty.url, ...argv)).rejects.toThrow(
        new RegExp(`lacks the migrations ${lacking}\\. .+ start the service of this build first\\.$`),
      );
    }
    expect(await applied()).toBe(0);
    await recount(empty.url, 'projections', 'rebuild', 'plans');
    expect(await applied()).toBe(1);
  });

  it('make no schema in an empty database', async () => {
    await empty.pool.query('drop schema public cascade; create schema public');
    await expect(recount(empty.url, 'verify', '--all')).rejects.toThrow('There is no data in this database');
    expect(await tablesOf(empty)).toBe(0);
  });
});

describe('the tools, beside a service with a manual clock', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  });
  afterAll(() => app.stop());

  it('say that there is nothing to verify before the first invoice', async () => {
    const { lines, isWell } = await recount(app.databaseUrl, 'verify', '--all');
    expect(lines[0]).toBe('no invoice has been issued: there is nothing to verify');
    expect(isWell).toBe(true);
  });

  it('show, rebuild and retry read models with nothing else of the application', async () => {
    await checkpointsAtHead(app);
    const status = await recount(app.databaseUrl, 'projections', 'status');
    const inService = await recountInService(app, 'projections', 'status');
    const partOf = (lines: readonly string[]) => lines.map((line) => line.replace(/ since [^,]*/, ''));
    expect(partOf(status.lines)).toEqual(partOf(inService.lines));
    expect(status.isWell).toBe(true);
    for (const verb of ['rebuild', 'retry']) {
      expect((await recount(app.databaseUrl, 'projections', verb, 'customers')).isWell).toBe(true);
    }
  });

  it('go by the clock in the database, whatever CLOCK says', async () => {
    await billedUntilMarch(app);
    const { lines, isWell } = await recount(app.databaseUrl, 'doctor');
    expect(lines.filter((line) => !/^(holds|unset) /.test(line))).toEqual([]);
    expect(isWell).toBe(true);
  });
});
