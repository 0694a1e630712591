import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClaimAudit } from '../../src/audit/doctor/claim-audit.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { recount } from '../support/recount.js';
import { restoringStatements } from '../support/restoring-statements.js';
import { shopOf } from '../support/shop.js';
import { readModelsAtHead } from '../support/stored.js';

let app: TestApp;
let plan: string;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  const shop = shopOf(app);
  plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
  const other = await shop.plan('Other', { recurring_charges: [aChargeBody({ amount: 7 })] });
  await shop.metric({ metric_name: 'Calls' });
  for (const customer of ['renewed', 'ended', 'switched', 'cancelled', 'unbegun', 'deleted']) {
    await shop.customer(customer, { email: `${customer}@example.com` });
  }
  await shop.subscribe('renewed', plan, '2026-01-01');
  const ended = { auto_renew: false, subscription_filters: [{ property_name: 'region', value: 'eu' }] };
  await shop.subscribe('ended', plan, '2026-01-01', ended);
  const switched = await shop.subscribe('switched', plan, '2026-01-01');
  const cancelled = await shop.subscribe('cancelled', plan, '2026-01-01');
  const unbegun = await shop.subscribe('unbegun', plan, '2026-03-01');
  await shop.subscribe('deleted', plan, '2026-01-01');
  const post = (path: string, body: object) => app.request.post(`/api/${path}`).send(body).expect(200);
  await post(`subscriptions/${switched.subscription_id}/switch_plan/`, { switch_plan_id: other });
  await post(`subscriptions/${cancelled.subscription_id}/cancel/`, {});
  await post(`subscriptions/${unbegun.subscription_id}/cancel/`, {});
  await post('customers/deleted/delete/', {});
  await app.request.patch('/api/customers/ended/').send({ email: 'Former@Example.com' }).expect(200);
  await app.advance('2026-02-10T00:00:00Z');
  await readModelsAtHead(app);
});
afterAll(() => app.stop());

/** Returns what the audit says after a statement, which it reverts. */
async function saidAfter(table: 'placements' | 'claims', statement: string): Promise<string[]> {
  const { pool, service } = app;
  const audit = service.app.get(ClaimAudit);
  await pool.query(`create table kept as table ${table}`);
  try {
    await pool.query(statement);
    return await (table === 'placements' ? audit.reservations(0) : audit.claims(0));
  } finally {
    await pool.query(`delete from ${table}; insert into ${table} table kept; drop table kept`);
  }
}

const NEWEST = `(select subscription_id from subscriptions where state = 'open' limit 1)`;

describe('the audit of reservations and claims', () => {
  it('finds nothing after renewals, switches, cancellations, deletions and changed addresses', async () => {
    expect(await saidAfter('placements', 'select 1')).toEqual([]);
    expect(await saidAfter('claims', 'select 1')).toEqual([]);
  });

  it.each([
    [
      'is deleted',
      `delete from placements where subscription_id = ${NEWEST}`,
      /has no reservation.*a second time/,
    ],
    ['has another start', `update placements set start_at = start_at + interval '1 day'`, /another start/],
    [
      'has another end',
      `update placements set end_at = '2026-01-02' where subscription_id = ${NEWEST}`,
      /another end/,
    ],
    ['has no end', `update placements set end_at = null where end_at > start_at`, /no end/],
    ['has another version', `update placements set version_id = gen_random_uuid()`, /another plan version/],
    ['has another customer', `update placements set customer_key = gen_random_uuid()`, /another customer/],
    ['has other filters', `update placements set filters = '[{"value": 1}]'`, /other filters/],
    [
      'is of no subscription, and dated in the future',
      `insert into placements select org, gen_random_uuid(), customer_key, version_id, start_at, end_at, filters, now() + interval '1 day'
        from placements limit 1`,
      /was never written/,
    ],
  ])('finds a reservation that %s, and says what to do', async (_, statement, sentence) => {
    const said = await saidAfter('placements', statement);
    expect(said[0]).toMatch(sentence);
    expect(said[0]).toMatch(/docs\/operating\.md#reservations-and-claims/);
  });

  it('names no reservation of a creation that died: it is free after a minute', async () => {
    const dead = `insert into placements select org, gen_random_uuid(), customer_key, version_id, start_at, end_at, filters
      from placements limit 1`;
    expect(await saidAfter('placements', dead)).toEqual([]);
  });

  it('finds claims on names and e-mail addresses that are gone or belong to another', async () => {
    const gone = await saidAfter('claims', 'delete from claims');
    expect(
      gone.filter((one) => /^metric .* has the name "Calls", and no claim on it/.test(one)),
    ).toHaveLength(1);
    expect(gone.filter((one) => /^plan /.test(one))).toHaveLength(2);
    expect(gone.filter((one) => /^customer-.* has an e-mail address/.test(one))).toHaveLength(6);
    const swapped = await saidAfter(
      'claims',
      `update claims set owner_stream = 'customer-x' where kind = 'email'`,
    );
    expect(swapped).toHaveLength(6);
    expect(swapped[0]).toMatch(/its claim belongs to customer-x/);
  });

  it('finds nothing once the statements of the operating page have restored them', async () => {
    const statements = restoringStatements();
    const damaged = `update placements set end_at = null; delete from placements where subscription_id = ${NEWEST};`;
    expect(await saidAfter('placements', damaged + statements)).toEqual([]);
    const swapped = `update claims set owner_stream = 'plan-x' where kind = 'plan_name'; delete from claims where kind = 'metric_name';`;
    expect(await saidAfter('claims', swapped + statements)).toEqual([]);
  });

  it('takes the claim on an e-mail address when the customer is sent it again', async () => {
    await app.pool.query(`delete from claims where kind = 'email'`);
    expect(await app.service.app.get(ClaimAudit).claims(0)).toHaveLength(6);
    await app.request.patch('/api/customers/renewed/').send({ email: 'renewed@example.com' }).expect(200);
    expect(await app.service.app.get(ClaimAudit).claims(0)).toHaveLength(5);
  });

  it('is part of the doctor', async () => {
    await app.pool.query(`delete from placements where subscription_id = ${NEWEST}`);
    const { lines, isWell } = await recount(app, 'doctor');
    expect(isWell).toBe(false);
    expect(lines.join('\n')).toMatch(
      /BROKEN {2}every subscription has its reservation\n *subscription .* has no reservation/,
    );
  });
});
