import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClosedUsagePeriod } from '../../src/billing/accounts/domain/event-data.js';
import { CustomerUsage } from '../../src/billing/usage/customer-usage.js';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { exactText } from '../../src/kernel/quantity.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

/** Tests customers such as acme whose events add and remove seats. Each seat of the monthly peak costs 1.00. */
describe('a gauge that deltas move', () => {
  let database: TestDatabase;
  let app: TestApp;
  let shop: Shop;
  let seats: string;

  const start = async (clockStart = '2025-12-20T00:00:00Z') => {
    app = await startTestApp({ clockStart, databaseUrl: database.url });
    shop = shopOf(app);
  };
  beforeAll(async () => {
    database = await createTestDatabase('recount_with_read_models');
    await start();
    seats = await shop.metric({
      metric_name: 'seats',
      metric_type: 'gauge',
      aggregation_type: 'max',
      property_name: 'seats',
      event_type: 'delta',
      granularity: 'months',
    });
    const tiers = perUnitTiers();
    const version = { recurring_charges: [], components: [aComponentBody(seats, { tiers })] };
    const plan = await shop.plan('Seats', version);
    for (const customer of ['acme', 'early', 'altered', 'moved']) {
      await shop.customer(customer);
      await change(customer, 3, '2025-12-20T00:00:00Z', { region: 'eu' });
    }
    await app.advance('2026-01-01T00:00:00Z');
    for (const customer of ['acme', 'early', 'altered', 'moved'])
      await shop.subscribe(customer, plan, '2026-01-01');
    const filters = [{ property_name: 'region', value: 'eu' }];
    await shop.subscribe('acme', await shop.plan('Seats there', version), '2026-01-01', {
      subscription_filters: filters,
    });
    await app.advance('2026-01-10T00:00:00Z');
    for (const customer of ['acme', 'early', 'altered', 'moved'])
      await change(customer, 2, '2026-01-10T00:00:00Z');
    await app.advance('2026-02-01T00:30:00Z');
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });

  const change = (customer: string, seats: number, at: string, properties: object = {}) =>
    shop.use({ customer, at, id: `${customer} ${at}`, properties: { seats, ...properties } });
  const linesOf = async (customer: string): Promise<[name: string, plan: string, quantity: number][]> =>
    (await shop.invoices(`?customer_id=${customer}`))[0].line_items.map(
      (line: { name: string; quantity: number; plan: { plan_name: string } }) => [
        line.name,
        line.plan.plan_name,
        line.quantity,
      ],
    );
  /** Returns the closed usage periods of a customer, in the order of the log. */
  const closedPeriodsOf = async (customer: string): Promise<ClosedUsagePeriod[]> => {
    const { rows } = await database.pool.query<{ data: ClosedUsagePeriod }>(
      `select data from events where type = 'UsagePeriodClosed' and stream like $1 order by position`,
      [`account-${app.org}.${customerKeyOf(app.org, customer)}%`],
    );
    return rows.map(({ data }) => data);
  };
  const tamper = async (statement: string, ...values: unknown[]): Promise<void> => {
    expect((await database.pool.query(statement, values)).rowCount).toBe(1);
  };

  it('is billed for the level that carries in, for each filter by itself', async () => {
    expect(await linesOf('acme')).toEqual(
      expect.arrayContaining([
        ['seats', 'Seats', 5],
        ['seats', 'Seats there', 3],
      ]),
    );
    expect((await closedPeriodsOf('acme')).map(({ level }) => level)).toEqual(
      expect.arrayContaining([
        { reached: '5', filters: [], after: null },
        { reached: '3', filters: [{ propertyName: 'region', value: 'eu' }], after: null },
      ]),
    );
  });

  it('is counted from its first delta again after a closed usage period without a checkpoint', async () => {
    await app.stop();
    await tamper(
      `update events set data = (data::jsonb - 'level')::json
       where type = 'UsagePeriodClosed' and data ->> 'closeId' = $1`,
      (await closedPeriodsOf('early'))[0]!.closeId,
    );
    await start();
    await app.advance('2026-02-10T00:00:00Z');
    for (const customer of ['acme', 'early']) await change(customer, 4, '2026-01-20T00:00:00Z');
    await change('acme', -1, '2026-02-10T00:00:00Z', { region: 'eu' });
    await app.advance('2026-03-01T00:30:00Z');
    const [january, ...later] = await closedPeriodsOf('early');
    expect(january).not.toHaveProperty('level');
    const level = { reached: '9', filters: [], after: null };
    expect(later).toHaveLength(2);
    for (const close of later) expect(close).toMatchObject({ eventCount: 3, quantity: '9', level });
    expect(later.map(({ supersedes }) => supersedes)).toEqual(
      expect.arrayContaining([january!.closeId, null]),
    );
  });

  it('is counted from the previous checkpoint, and so is late usage', async () => {
    expect(await linesOf('acme')).toEqual(
      expect.arrayContaining([
        ['seats (late usage, 2026-01-01 to 2026-01-31)', 'Seats', 4],
        ['seats', 'Seats', 9],
        ['seats', 'Seats there', 3],
      ]),
    );
    await app.advance('2026-04-01T00:30:00Z');
    expect(await linesOf('acme')).toEqual(
      expect.arrayContaining([
        ['seats', 'Seats', 8],
        ['seats', 'Seats there', 2],
      ]),
    );
    const all = (await closedPeriodsOf('acme')).filter(({ level }) => level!.filters.length === 0);
    const [january, ...later] = all;
    const recount = later.find(({ supersedes }) => supersedes !== null)!;
    const [february, march] = later.filter(({ supersedes }) => supersedes === null);
    expect(recount).toMatchObject({ eventCount: 3, supersedes: january!.closeId });
    expect(recount.level).toEqual({ reached: '9', filters: [], after: january!.closeId });
    expect(february).toMatchObject({ eventCount: 4, level: { reached: '8', after: january!.closeId } });
    // March has no new events, so it has the evidence of February.
    expect(march).toMatchObject({ eventCount: 4, digest: february!.digest });
    expect(march!.level).toEqual({ reached: '8', filters: [], after: february!.closeId });

    const closed = await closedPeriodsOf('early');
    const before = closed.find(({ window, supersedes }) => window.end > '2026-02-15' && !supersedes)!;
    expect(closed.at(-1)!.level!.after).toBe(before.closeId);
    expect(await verifyAll(app)).toBe(12);
  });

  /** Returns the usage of windows from March on, and what usage alerts compare. */
  const usageOfAcme = async (): Promise<unknown[][]> => {
    const path = `/api/usage/?customer_id=acme&metric_id=${seats}&range_start=2026-03-01&limit=100`;
    const { body } = await app.request.get(path).expect(200);
    const range = { start: instant('2026-03-10'), end: instant('2026-04-01T00:30:00Z') };
    const measured = await app.service.app
      .get(CustomerUsage, { strict: false })
      .measure(app.org, customerKeyOf(app.org, 'acme'), range, () => true);
    return [body, measured.map(({ used }) => exactText(used))];
  };

  it('has its current level without a look at the deltas that a closed usage period has counted', async () => {
    await change('acme', 1, '2026-04-01T00:10:00Z');
    await change('acme', 2, '2026-03-25T00:00:00Z', { region: 'eu' });
    const levels = async (query = ''): Promise<number[]> =>
      (
        await app.request.get(`/api/metric_access/?customer_id=acme&metric_id=${seats}${query}`).expect(200)
      ).body.access_per_subscription.map(({ metric_usage: level }: { metric_usage: number }) => level);
    expect((await levels()).sort()).toEqual([11, 4]);
    const usage = await usageOfAcme();
    expect(usage.map(({ length }) => length)).toEqual([4, 4]);
    const altered = await database.pool.query(
      `update usage_events set properties = '{"seats": 1000, "region": "eu"}'
       where customer_key = $1 and event_time < '2026-02-01'`,
      [customerKeyOf(app.org, 'acme')],
    );
    expect(altered.rowCount).toBe(3);
    expect((await levels()).sort()).toEqual([11, 4]);
    expect(await usageOfAcme()).toEqual(usage);
  });

  it('is verified back to its first delta: an event that was altered before is found', async () => {
    const [newest] = await shop.invoices('?customer_id=altered');
    expect(await shop.verify(newest.invoice_number)).toMatchObject({ ok: true, differences: [] });
    await tamper(
      `update usage_events set properties = '{"seats": 7}' where customer_key = $1 and event_time = $2`,
      customerKeyOf(app.org, 'altered'),
      '2026-01-10T00:00:00Z',
    );
    const { ok, differences } = await shop.verify(newest.invoice_number);
    expect(ok).toBe(false);
    expect(differences).toEqual([
      expect.stringMatching(/^usage of "seats" from 2026-01-01.*: level stored 5, counted 10$/),
      'usage event "altered 2026-01-10T00:00:00Z" is not as it was received',
    ]);
  });

  it('differs when its closed usage period names a wrong one to continue from', async () => {
    const [newest] = await shop.invoices('?customer_id=moved');
    const [, , march] = await closedPeriodsOf('moved');
    const [another] = await closedPeriodsOf('altered');
    const moved = (closeId: string, after: string) =>
      tamper(
        `update events set data = jsonb_set(data::jsonb, '{level,after}', to_jsonb($2::text))::json
         where type = 'UsagePeriodClosed' and data ->> 'closeId' = $1`,
        closeId,
        after,
      );
    await moved(march!.closeId, another!.closeId);
    const { differences } = await shop.verify(newest.invoice_number);
    expect(differences).toContain(
      `closed usage period ${march!.closeId} continues ${another!.closeId}, which the account does not have`,
    );
    await moved(march!.closeId, march!.closeId);
    expect((await shop.verify(newest.invoice_number)).differences).toContain(
      `closed usage period ${march!.closeId} continues ${march!.closeId}, which is no part of it`,
    );
  });
});
