import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RestrictionAudit } from '../../src/audit/doctor/restriction-audit.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody } from '../support/builders/catalog-bodies.js';
import { recount } from '../support/recount.js';
import { shopOf } from '../support/shop.js';
import { until } from '../support/until.js';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  const shop = shopOf(app);
  await shop.customer('acme');
  await shop.customer('beta');
  const deleted = await shop.plan('Deleted');
  const kept = await shop.plan('Kept');
  const used = await shop.metric({ metric_name: 'used' });
  await shop.plan('Using', { components: [aComponentBody(used)] });
  const archived = await shop.metric({ metric_name: 'archived' });
  const post = (path: string, body: object = {}) => app.request.post(`/api/${path}`).send(body);
  await post(`metrics/${archived}/archive/`).expect(200);
  await post(`metrics/${archived}/archive/`).expect(200);
  await post(`metrics/${used}/archive/`).expect(400);
  const { body: plan } = await app.request.get(`/api/plans/${kept}/`).expect(200);
  const version = `plan_versions/${plan.versions[0].version_id}`;
  await post(`${version}/target_customers/add/`, { customer_ids: ['acme', 'beta'] }).expect(200);
  await post(`${version}/target_customers/remove/`, { customer_ids: ['beta'] }).expect(200);
  await post(`${version}/target_customers/remove/`, { customer_ids: ['beta'] }).expect(200);
  await post(`${version}/make_public/`).expect(200);
  await post(`${version}/target_customers/remove/`, { customer_ids: ['beta'] });
  await post(`plans/${deleted}/delete/`).expect(200);
  await post(`plans/${deleted}/delete/`);
});
afterAll(() => app.stop());

/** Returns what the audit says after a statement, which it reverts. */
async function saidAfter(statement: string): Promise<string[]> {
  const { pool, service } = app;
  await pool.query('create table kept as table restricted_streams');
  try {
    await pool.query(statement);
    return await service.app.get(RestrictionAudit).differences(0);
  } finally {
    await pool.query(
      'delete from restricted_streams; insert into restricted_streams table kept; drop table kept',
    );
  }
}

const ONE = `(select min(stream) from restricted_streams where stream like 'plan-%')`;

describe('the audit of restricted streams', () => {
  it('finds nothing after deletions, archivals and changes of targets, repeated or refused', async () => {
    const { rows } = await app.pool.query('select stream from restricted_streams');
    expect(rows).toHaveLength(3);
    expect(await saidAfter('select 1')).toEqual([]);
  });

  it.each([
    ['a row that is missing', `delete from restricted_streams where stream = ${ONE}`, /has no row of it/],
    [
      'every row that is missing',
      'truncate restricted_streams',
      /has no row of it[^]*has no row of it[^]*has no row of it/,
    ],
    [
      'another revision',
      `update restricted_streams set revision = revision + 1 where stream = ${ONE}`,
      /has revision \d+ in restricted_streams, and \d+ in the log/,
    ],
    [
      'a row of a stream that nothing restricts',
      `insert into restricted_streams values ('plan-nobody', 1, now())`,
      /^plan-nobody is in restricted_streams, and no event restricts it/,
    ],
    [
      'a time that is still to come',
      `update restricted_streams set restricted_at = now() + interval '1 year' where stream = ${ONE}`,
      /with a time that is still to come/,
    ],
  ])('finds %s', async (_, statement, sentence) => {
    expect((await saidAfter(statement)).join('\n')).toMatch(sentence);
  });

  it('finds nothing once a policy has noted what a process that died did not', async () => {
    const plan = await shopOf(app).plan('Deleted at last');
    await app.pool.query(`
      create function die() returns trigger language plpgsql as $$ begin raise 'the process died here'; end $$;
      create trigger restrictions_stay before insert on restricted_streams for each row execute function die()`);
    await app.request.post(`/api/plans/${plan}/delete/`).expect(500);
    const audit = app.service.app.get(RestrictionAudit);
    expect((await audit.differences(0)).join('\n')).toMatch(/has no row of it/);
    await app.pool.query('drop trigger restrictions_stay on restricted_streams; drop function die');
    await until(async () => (await audit.differences(0)).length === 0, 200);
  });

  it('is part of the doctor', async () => {
    await app.pool.query(`insert into restricted_streams values ('plan-nobody', 1, now())`);
    const { lines, isWell } = await recount(app, 'doctor');
    expect(isWell).toBe(false);
    expect(JSON.stringify(lines)).toMatch(/plan-nobody is in restricted_streams/);
    await app.pool.query(`delete from restricted_streams where stream = 'plan-nobody'`);
  });
});
