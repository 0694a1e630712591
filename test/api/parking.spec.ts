import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { customerKeyOf, fromWireId } from '../../src/kernel/ids.js';
import { streamName } from '../../src/kernel/event.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { recount } from '../support/recount.js';
import { shopOf, type Shop } from '../support/shop.js';
import { readModelsAtHead } from '../support/stored.js';
import { verifyAll } from '../support/verify-all.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

let app: TestApp;
let shop: Shop;
let receiver: WebhookReceiver;
let database: TestDatabase;
let planId: string;
const subscriptions = new Map<string, string>();

const start = async () => {
  app = await startTestApp({
    databaseUrl: database.url,
    clockStart: '2026-01-01T00:00:00Z',
    env: { ALLOW_PRIVATE_WEBHOOKS: 'true' },
  });
  shop = shopOf(app);
};

beforeAll(async () => {
  database = await createTestDatabase('recount_with_read_models');
  await start();
  receiver = await startWebhookReceiver();
  const body = { name: 'accounting', webhook_url: receiver.url, triggers: ['billing.parked'] };
  await app.request.post('/api/webhooks/').send(body).expect(201);
  const metric = await shop.metric({ aggregation_type: 'sum', property_name: 'tons' });
  const perTon = {
    type: 'per_unit',
    range_start: 0,
    cost_per_batch: 5_000_000_000,
    metric_units_per_batch: 1,
  };
  planId = await shop.plan('Freight', {
    recurring_charges: [aChargeBody({ amount: 31 })],
    components: [aComponentBody(metric, { tiers: [perTon] })],
  });
  for (const customer of ['giant', 'broken', 'stuck', 'usual']) {
    await shop.customer(customer);
    const { subscription_id: id } = await shop.subscribe(customer, planId, '2026-01-01');
    subscriptions.set(customer, id);
  }
});
afterAll(async () => {
  await receiver.stop();
  await app.stop();
  await database.drop();
});

const invoicesOf = async (customer: string) =>
  (await shop.invoices(`?customer_id=${customer}`)).map(
    ({ amount, issue_date: at }: { amount: number; issue_date: string }) => [at.slice(0, 10), amount],
  );
const termsOf = async (customer: string) =>
  (await app.request.get(`/api/subscriptions/?customer_id=${customer}`).expect(200)).body.length;

const parkedIds = async () =>
  (await recount(app, 'park', 'list')).lines.flatMap((line) => /^[0-9a-f-]{36}(?= )/.exec(line)?.[0] ?? []);

describe('billing that cannot be done', () => {
  const accountOf = (customer: string) =>
    streamName('account', app.org, `${customerKeyOf(app.org, customer)}.USD`);

  it('is parked with its cause, while all others are billed and renewed', async () => {
    await shop.use({ customer: 'giant', at: '2026-01-01T00:00:00Z', properties: { tons: 20 } });
    // A process does not read events again that it has folded, handled or projected, so the log is changed while it is stopped.
    await readModelsAtHead(app);
    await app.stop();
    await database.pool.query(
      `update events set type = 'Unheard' where stream = $1 and type = 'InvoiceIssued'`,
      [accountOf('broken')],
    );
    await database.pool.query(`update events set type = 'Unheard' where stream = $1`, [
      streamName('subscription', app.org, fromWireId('sub', subscriptions.get('stuck')!)!),
    ]);
    await database.pool.query(
      `insert into follow_ups_checkpoint (store, position)
       select (select id from events order by position limit 1), max(position) || '/' || max(position) from events
       on conflict (store) do update set position = excluded.position`,
    );
    await start();
    await app.advance('2026-02-01T01:00:00Z');

    expect(await invoicesOf('usual')).toEqual([
      ['2026-02-01', 31],
      ['2026-01-01', 31],
    ]);
    for (const customer of ['giant', 'broken', 'stuck'])
      expect(await invoicesOf(customer)).toEqual([['2026-01-01', 31]]);
    expect([await termsOf('usual'), await termsOf('giant'), await termsOf('broken')]).toEqual([2, 2, 2]);
    expect(await termsOf('stuck')).toBe(1);
  });

  it('is told to those who asked for billing.parked, without what is inside', async () => {
    const told = (await receiver.count(4)).map(({ body }) => body);
    const about = (customer: string) =>
      told.filter(({ data }) => (data['customer'] as { customer_id: string }).customer_id === customer);
    const inside = { cause: 'internal', detail: expect.stringMatching(/operator/) };
    expect(about('giant')[0]).toMatchObject({
      type: 'billing.parked',
      timestamp: '2026-02-01T00:30:00Z',
      data: {
        kind: 'run',
        currency_code: 'USD',
        cause: 'amount_out_of_range',
        detail: expect.stringMatching(/cannot be invoiced/),
        parked_at: '2026-02-01T00:30:00Z',
        resolved_at: null,
      },
    });
    expect(about('broken')[0]!.data).toMatchObject({ kind: 'run', ...inside });
    const kinds = about('stuck').map(({ data }) => data['kind']);
    expect(kinds.sort()).toEqual(['boundary', 'run']);
    expect(about('stuck').find(({ data }) => data['kind'] === 'boundary')!.data).toMatchObject({
      subscription_id: subscriptions.get('stuck'),
      ...inside,
    });
  });

  it('is listed for the operator, and found by the doctor', async () => {
    const { lines, isWell } = await recount(app, 'park', 'list');
    expect(isWell).toBe(false);
    expect(lines).toContainEqual(expect.stringMatching(/billing of account .*\.USD of org_/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {6}internal: No case handles Unheard/));
    expect(lines.at(-1)).toBe('4 parked');
    const examined = (await recount(app, 'doctor', '--sample', '0')).lines;
    expect(examined).toContain('BROKEN  no billing is parked');
  });

  it('is tried again after growing pauses', async () => {
    const triesOf = async () =>
      (await app.pool.query(`select tries, next_try_at from parked_work where cause = 'amount_out_of_range'`))
        .rows[0];
    expect(await triesOf()).toEqual({ tries: 2, next_try_at: '2026-02-01T01:02:00.000000Z' });
    await app.advance('2026-02-01T01:01:59Z');
    expect((await triesOf()).tries).toBe(2);
    await app.advance('2026-02-01T01:02:00Z');
    expect(await triesOf()).toEqual({ tries: 3, next_try_at: '2026-02-01T01:06:00.000000Z' });
    for (const day of ['02', '03', '04', '05', '06', '07', '08', '09'])
      await app.advance(`2026-02-${day}T00:00:00Z`);
    expect(await triesOf()).toEqual({ tries: 11, next_try_at: '2026-02-09T06:00:00.000000Z' });
  });

  it('leaves the account usable', async () => {
    const credit = { customer_id: 'giant', amount: 7, currency_code: 'USD' };
    await app.request.post('/api/credits/').send(credit).expect(201);
    const [invoice] = await shop.invoices('?customer_id=giant');
    await app.request
      .patch(`/api/invoices/${invoice.invoice_id}/`)
      .send({ payment_status: 'paid' })
      .expect(200);
  });

  it('is done when it can be, by whoever tries, once', async () => {
    const returned = { customer: 'giant', at: '2026-01-31T00:00:00Z', properties: { tons: -19 } };
    await shop.use({ ...returned, id: 'returned' });
    await app.pool.query(`update events set type = 'InvoiceIssued' where type = 'Unheard' and stream = $1`, [
      accountOf('broken'),
    ]);
    await app.pool.query(
      `update events set type = 'SubscriptionStarted' where type = 'Unheard' and stream like 'subscription-%'`,
    );
    await app.advance('2026-02-09T00:00:01Z');
    expect(await parkedIds()).toHaveLength(4);

    const retried = await recount(app, 'park', 'retry', ...(await parkedIds()));
    expect(retried.isWell).toBe(true);
    await app.advance('2026-02-09T00:00:02Z');
    expect(await recount(app, 'park', 'list')).toEqual({ lines: ['nothing is parked'], isWell: true });
    expect(await invoicesOf('giant')).toEqual([
      ['2026-02-09', 5_000_000_024],
      ['2026-01-01', 31],
    ]);
    for (const customer of ['broken', 'stuck']) {
      expect(await invoicesOf(customer)).toEqual([
        ['2026-02-09', 31],
        ['2026-01-01', 31],
      ]);
      expect(await termsOf(customer)).toBe(2);
    }
    await app.advance('2026-03-01T01:00:00Z');
    expect((await invoicesOf('broken')).map(([at]: [string]) => at)[0]).toBe('2026-03-01');
    expect(await verifyAll(app)).toBe(12);
  });
});
