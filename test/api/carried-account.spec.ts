import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountId } from '../../src/billing/decider/domain/account.js';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { streamName } from '../../src/kernel/event.js';
import {
  EVENT_STORE,
  type EventStore,
  eventsSinceSnapshot,
} from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { forgetAnswer } from '../support/stored-idempotency-keys.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
let shop: Shop;

/** Bills a subscription daily for five weeks: a snapshot follows eight runs, and drops those before the last sixteen. */
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  const daily = { invoicing_interval_unit: 'day', invoicing_interval_count: 1 };
  const tiers = perUnitTiers();
  const plan = await shop.plan('Daily', {
    recurring_charges: [aChargeBody({ reset_interval_unit: 'day', reset_interval_count: 1, amount: 2 })],
    components: [aComponentBody(await shop.metric(), { tiers, ...daily })],
  });
  await shop.customer('acme');
  await shop.subscribe('acme', plan, '2026-01-01');
  await shop.use({ customer: 'acme', at: '2026-01-01T00:00:00Z' });
  await app.advance('2026-01-25T00:00:00Z');
  const credit = { customer_id: 'acme', amount: 3, currency_code: 'USD' };
  await app.request.post('/api/credits/').send(credit).expect(201);
  await app.advance('2026-01-30T00:00:00Z');
  await shop.use({ customer: 'acme', at: '2026-01-29T00:00:00Z' });
  await app.advance('2026-02-06T12:00:00Z');
});
afterAll(() => app.stop());

const eventsOf = () => {
  const stream = streamName('account', app.org, accountId(customerKeyOf(app.org, 'acme'), 'USD'));
  const store = app.service.app.get<EventStore>(EVENT_STORE, { strict: false });
  return eventsSinceSnapshot(store, stream, 'AccountCarriedForward');
};

describe('the account of a long history', () => {
  it('has snapshots, so that reads of it stay as short', async () => {
    const { rows } = await app.pool.query(
      `select revision::int from events where type = 'AccountCarriedForward' order by position`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    const read = await eventsOf();
    expect(read[0]).toMatchObject({
      type: 'AccountCarriedForward',
      data: { revision: rows.at(-1).revision },
    });
    expect(read.length).toBeLessThan(8 * 4);
  });

  it('was billed every day, once, with what was used and the credit', async () => {
    const invoices = await shop.invoices('?limit=1000');
    const sum = invoices.reduce((total: number, { amount }: { amount: number }) => total + amount, 0);
    // 37 days from 1 January to 6 February at 2.00, two uses at 1.00, less the credit.
    expect(sum).toBe(37 * 2 + 2 - 3);
    const { body: credits } = await app.request.get('/api/credits/?customer_id=acme').expect(200);
    expect(credits).toMatchObject([{ amount_remaining: 0, status: 'inactive' }]);
  });

  it('still answers for invoices and credits that the latest snapshot no longer contains', async () => {
    const invoices = await shop.invoices('?limit=1000');
    const oldest = invoices.at(-1)!;
    const path = `/api/invoices/${oldest.invoice_id}/`;
    await app.request.patch(path).send({ payment_status: 'paid' }).expect(200);
    await app.advance('2026-02-20T12:00:00Z');
    const linked = await app.request.patch(path).send({ external_payment_obj_id: 'pi_1' });
    expect(linked.body).toMatchObject({ payment_status: 'paid', external_payment_obj_id: 'pi_1' });
    const refused = await app.request.post(`${path}void/`).send({}).expect(400);
    expect(refused.body).toMatchObject({
      title: 'invalid_state',
      detail: 'A paid invoice cannot be voided. Grant a credit instead.',
    });
    const [credit] = (await app.request.get('/api/credits/?customer_id=acme').expect(200)).body;
    const inactive = await app.request
      .post(`/api/credits/${credit.credit_id}/update/`)
      .send({ description: 'x' })
      .expect(400);
    expect(inactive.body.title).toBe('invalid_state');
  });

  it('brings an unpaid invoice of long ago back when it is voided', async () => {
    const invoices = await shop.invoices('?limit=1000');
    const unpaid = invoices.filter(
      ({ payment_status: status }: { payment_status: string }) => status === 'unpaid',
    );
    const old = unpaid.at(-1)!;
    const voidOld = () =>
      app.request
        .post(`/api/invoices/${old.invoice_id}/void/`)
        .set('Idempotency-Key', 'void-old')
        .send({ rebill: true })
        .expect(200);
    const first = await voidOld();
    const [again] = await shop.invoices();
    expect(again.amount).toBe(old.amount);
    await forgetAnswer(app, 'void-old');
    expect((await voidOld()).body).toEqual(first.body);
  });

  it('previews the void of an invoice that drew a credit whose paid purchase the snapshot no longer contains', async () => {
    const credit = { customer_id: 'acme', amount: 1, currency_code: 'USD', effective_at: '2026-03-03' };
    const paid = { amount_paid: 0.5, amount_paid_currency_code: 'USD' };
    await app.request
      .post('/api/credits/')
      .send({ ...credit, ...paid })
      .expect(201);
    const [purchase] = await shop.invoices();
    const pay = app.request.patch(`/api/invoices/${purchase.invoice_id}/`);
    await pay.send({ payment_status: 'paid' }).expect(200);
    await app.advance('2026-03-03T12:00:00Z');
    const [drawn] = await shop.invoices();
    expect(drawn).toMatchObject({ amount: 1, payment_status: 'unpaid' });
    const voided = (query: string) => app.request.post(`/api/invoices/${drawn.invoice_id}/void/${query}`);
    const preview = await voided('?preview=true').send({ rebill: true }).expect(200);
    await voided('').send({ rebill: true }).expect(200);
    expect(await shop.invoices('?limit=1')).toMatchObject([{ amount: preview.body.invoices[0].amount }]);
  });

  it('verifies, every invoice of it', async () => {
    expect(await verifyAll(app)).toBeGreaterThan(60);
    expect((await eventsOf())[0]!.type).toBe('AccountCarriedForward');
  });
});
