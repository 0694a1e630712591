import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { dropEventLog } from '../support/event-log.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { shopOf } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

const NAMES = ['plans', 'subscriptions', 'invoices'];

describe('a service that finds read models of another release', () => {
  let database: TestDatabase;
  let app: TestApp;
  const log: string[] = [];
  let before: unknown;

  const shown = async (): Promise<unknown> => [
    (await app.request.get('/api/plans/').expect(200)).body,
    (await app.request.get('/api/subscriptions/').expect(200)).body,
    (await shopOf(app).invoices()).map(({ invoice_pdf: _, ...invoice }: { invoice_pdf: string }) => invoice),
  ];
  const builds = async (): Promise<Record<string, string>> => {
    const { rows } = await database.pool.query<{ view: string; source: string }>(
      `select distinct v.relname as view, t.relname as source from pg_class v
       join pg_rewrite r on r.ev_class = v.oid
       join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
       join pg_class t on t.oid = d.refobjid and t.relkind = 'r' where v.relname = any($1)`,
      [NAMES],
    );
    return Object.fromEntries(rows.map(({ view, source }) => [view, source]));
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp({ databaseUrl: database.url });
    const shop = shopOf(app);
    const plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
    await shop.customer('acme');
    await shop.subscribe('acme', plan, '2026-01-01');
    await app.advance('2026-03-02T00:00:00Z');
    before = await shown();
    await app.stop();
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
    dropEventLog(database.url);
    await database.drop();
  });

  it('builds its own before it serves, from the log and not from theirs, and goes on with them', async () => {
    const old = await builds();
    await database.pool.query(
      'update projection_checkpoints set definition = definition + 1 where projection = any($1)',
      [NAMES],
    );
    await database.pool.query('update plans set name = $1', ['of another release']);
    app = await startTestApp({
      databaseUrl: database.url,
      log: { write: (line) => log.push(line) },
      env: { LOG_LEVEL: 'info' },
    });

    expect(await shown()).toEqual(before);
    for (const [view, source] of Object.entries(await builds()))
      expect([view, source]).not.toEqual([view, old[view]]);
    for (const name of NAMES)
      expect(log.join()).toMatch(new RegExp(`${name}: build \\d is read from now on`));
    await app.advance('2026-04-02T00:00:00Z');
    expect(await shopOf(app).invoices()).toHaveLength(4);
  });
});
