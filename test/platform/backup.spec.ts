import { setTimeout as sleep } from 'node:timers/promises';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { inTransaction } from '../../src/platform/database/open-database.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { shopOf, times } from '../support/shop.js';
import { recount } from '../support/recount.js';

/** Tables that docs/operating.md leaves out of a backup: read models are rebuilt from the log. */
const DERIVED = /_v\d+$|^projection_|^schema_migrations$/;

async function tablesOf(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = current_schema() order by 1',
  );
  return rows.map(({ name }) => name).filter((name) => !DERIVED.test(name));
}

/** Writes every table to a file by COPY, and returns the tables and the values of the sequences. */
async function dump(pool: pg.Pool, folder: string): Promise<{ tables: string[]; sequences: object[] }> {
  const tables = await tablesOf(pool);
  for (const table of tables) await pool.query(`copy "${table}" to '${path.join(folder, table)}'`);
  const { rows: sequences } = await pool.query<object>(
    'select sequencename as name, last_value from pg_sequences where last_value is not null',
  );
  return { tables, sequences };
}

async function restore(
  pool: pg.Pool,
  folder: string,
  { tables, sequences }: Awaited<ReturnType<typeof dump>>,
) {
  await inTransaction(pool, async (client) => {
    await client.query('set local session_replication_role = replica');
    for (const table of tables) await client.query(`copy "${table}" from '${path.join(folder, table)}'`);
    for (const { name, last_value: value } of sequences as { name: string; last_value: string }[]) {
      await client.query('select setval($1::regclass, $2)', [name, value]);
    }
  });
}

describe('a backup', () => {
  let [original, copy]: (TestDatabase | undefined)[] = [];
  let restored: TestApp;
  let before: { invoices: unknown; credits: unknown; feature: unknown };
  const feature = { feature_name: 'Kept' };

  beforeAll(async () => {
    original = await createTestDatabase();
    const app = await startTestApp({ databaseUrl: original.url });
    const shop = shopOf(app);
    const components = [aComponentBody(await shop.metric())];
    const charges = [aChargeBody({ amount: 5 })];
    const plan = await shop.plan('Metered', { components, recurring_charges: charges });
    await shop.customer('acme', { email: 'someone@example.com' });
    await shop.subscribe('acme', plan, '2026-01-01');
    await shop.use(...times(101, '2026-01-01T00:00:00Z'));
    const credit = { customer_id: 'acme', amount: 3, currency_code: 'USD' };
    await app.request.post('/api/credits/').send(credit).expect(201);
    await app.advance('2026-03-02T00:00:00Z');
    const kept = await app.request.post('/api/features/').set('Idempotency-Key', 'once').send(feature);
    before = {
      invoices: withoutLinks(await shop.invoices()),
      credits: (await app.request.get('/api/credits/?customer_id=acme').expect(200)).body,
      feature: kept.body,
    };
    await app.stop();

    const folder = await mkdtemp(path.join(tmpdir(), 'recount-backup-'));
    await chmod(folder, 0o777);
    const dumped = await dump(original.pool, folder);
    copy = await createTestDatabase();
    await restore(copy.pool, folder, dumped);
    await rm(folder, { recursive: true, force: true });
    restored = await startTestApp({ databaseUrl: copy.url });
    const isReady = async () => (await fetch(`${restored.url}/api/readiness/`)).ok;
    while (!(await isReady())) await sleep(50);
  });
  afterAll(async () => {
    await restored.stop();
    await original?.drop();
    await copy?.drop();
  });

  /** Removes the links to PDFs, whose signature changes with the hour of the request. */
  const withoutLinks = (invoices: { invoice_pdf: unknown; invoice_number: string }[]): unknown =>
    invoices.map(({ invoice_pdf: _, ...invoice }) => invoice);

  it('restores into an empty database: the log as it was, read models made from it, every invoice verified', async () => {
    expect(withoutLinks(await shopOf(restored).invoices())).toEqual(before.invoices);
    const credits = await restored.request.get('/api/credits/?customer_id=acme').expect(200);
    expect(credits.body).toEqual(before.credits);
    const verified = await recount(restored, 'verify', '--all');
    expect([verified.lines[0], verified.isWell]).toEqual([
      expect.stringMatching(/^3 invoices .*all as issued$/),
      true,
    ]);
    const { lines, isWell } = await recount(restored, 'doctor', '--sample', '3');
    expect([lines.filter((line) => !/^(holds|unset) /.test(line)), isWell]).toEqual([[], true]);
  });

  it('restores what is no event, too: keys, persons, recorded answers, usage', async () => {
    const customer = await restored.request.get('/api/customers/acme/').expect(200);
    expect(customer.body.email).toBe('someone@example.com');
    const again = await restored.request
      .post('/api/features/')
      .set('Idempotency-Key', 'once')
      .send(feature)
      .expect(201);
    expect(again.body).toEqual(before.feature);
  });

  it('continues from there: numbers, boundaries and new usage', async () => {
    const shop = shopOf(restored);
    await shop.use({ at: '2026-03-02T00:00:00Z', id: 'after-the-restore' });
    await restored.advance('2026-04-02T00:00:00Z');
    expect(await shop.invoices()).toHaveLength(4);
    expect((await recount(restored, 'verify', '--all')).isWell).toBe(true);
  });
});
