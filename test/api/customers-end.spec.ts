import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { customerKeyOf, fromWireId } from '../../src/kernel/ids.js';
import { CommandBus } from '@nestjs/cqrs';
import { OverlapReservations } from '../../src/subscription/overlap-reservations.js';
import { RunBilling } from '../../src/billing/runs/run-billing.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fieldErrorsOf } from '../support/answers.js';
import { readableIn } from '../support/readable.js';
import { shopOf, times, type Shop } from '../support/shop.js';
import { until } from '../support/until.js';
import { verifyAll } from '../support/verify-all.js';
import { perUnitTiers } from '../support/builders/catalog-bodies.js';

let app: TestApp;
let shop: Shop;
let plan: string;
let feature: string;
let count = 0;
let customer: string;

const post = (path: string, body: object = {}) => app.request.post(`/api/${path}`).send(body);
const end = (how: 'delete' | 'erase', id = customer) => post(`customers/${id}/${how}/`);
const get = async (path: string, status = 200) => (await app.request.get(`/api/${path}`).expect(status)).body;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-11T00:00:00Z' });
  shop = shopOf(app);
  const metric = await shop.metric();
  feature = (await post('features/', { feature_name: 'reports' }).expect(201)).body.feature_id;
  plan = await shop.plan('by use', {
    features: [feature],
    recurring_charges: [{ name: 'fee', amount: 31, charge_timing: 'in_arrears', charge_behavior: 'prorate' }],
    components: [
      {
        metric_id: metric,
        tiers: perUnitTiers(2),
      },
    ],
  });
});
afterAll(() => app.stop());
beforeEach(async () => {
  customer = `customer-${(count += 1)}`;
  await shop.customer(customer, { email: `${customer}@example.com` });
});

describe('delete', () => {
  it('ends every subscription and bills what was used, on one invoice', async () => {
    const fees = await shop.plan(`fees ${count}`, {
      recurring_charges: [
        { name: 'fee', amount: 31, charge_timing: 'in_arrears', charge_behavior: 'prorate' },
      ],
    });
    const running = await shop.subscribe(customer, plan, '2026-01-01');
    const flat = await shop.subscribe(customer, fees, '2026-01-01');
    const planned = await shop.subscribe(customer, await shop.plan(`planned ${count}`), '2026-03-01');
    await shop.use(...times(3, '2026-01-05T00:00:00Z').map((event) => ({ ...event, customer })));
    const { body } = await end('delete').expect(200);
    expect(body).toMatchObject({
      customer_id: customer,
      email: `${customer}@example.com`,
      num_subscriptions_canceled: 3,
    });
    const [invoice, ...more] = await shop.invoices(`?customer_id=${customer}`);
    expect(more).toEqual([]);
    expect(invoice).toMatchObject({ amount: 26, customer: { customer_id: customer } });
    const left = await get(`subscriptions/?customer_id=${customer}`);
    expect(left).toHaveLength(3);
    for (const { subscription_id: id } of [running, flat, planned]) {
      expect(left).toContainEqual(expect.objectContaining({ subscription_id: id, auto_renew: false }));
    }
    expect(await get(`subscriptions/?customer_id=${customer}&status=ended`)).toEqual(left);
    await app.advance('2026-01-11T12:00:00Z');
    expect(await shop.invoices(`?customer_id=${customer}`)).toHaveLength(1);
  });

  it('leaves nobody to be found, changed, subscribed, credited or asked about; identifiers stay reserved', async () => {
    await end('delete').expect(200);
    for (const answer of [
      await app.request.get(`/api/customers/${customer}/`),
      await app.request.patch(`/api/customers/${customer}/`).send({ tax_rate: 5 }),
      await app.request.get(`/api/customers/${customer}/draft_invoice/`),
      await end('delete'),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { title: 'not_found' } });
    }
    const listed: { customer_id: string }[] = await get('customers/?limit=1000');
    expect(listed.map(({ customer_id: id }) => id)).not.toContain(customer);

    const refused = [
      await post('subscriptions/', { customer_id: customer, plan_id: plan, start_date: '2026-01-11' }),
      await post('credits/', { customer_id: customer, amount: 5, currency_code: 'USD' }),
      await app.request.get(`/api/feature_access/?customer_id=${customer}&feature_id=${feature}`),
      await post('subscriptions/cancel/', { customer_id: customer }),
      await post(`subscriptions/update/?customer_id=${customer}&plan_id=${plan}`),
    ];
    for (const answer of refused) {
      expect(answer.status).toBe(400);
      expect(fieldErrorsOf(answer.body)).toEqual({ customer_id: 'does_not_exist' });
    }
    for (const taken of [{ customer_id: customer }, { customer_id: 'x', email: `${customer}@example.com` }]) {
      expect((await post('customers/', taken).expect(400)).body.title).toBe('duplicate_resource');
    }
    expect(await get(`credits/?customer_id=${customer}`)).toEqual([]);
  });

  it('ends a subscription that was decided before it and is written after it', async () => {
    const reservations = app.service.app.get(OverlapReservations, { strict: false });
    const take = reservations.reserveNew.bind(reservations);
    reservations.reserveNew = async (...place) => {
      reservations.reserveNew = take;
      await end('delete').expect(200);
      return take(...place);
    };
    const { subscription_id: id } = await shop.subscribe(customer, plan, '2026-01-01');
    expect(await get(`subscriptions/?customer_id=${customer}&status=active`)).toEqual([]);
    expect(await get(`subscriptions/?customer_id=${customer}&status=ended`)).toMatchObject([
      { subscription_id: id, auto_renew: false },
    ]);
    expect(await shop.invoices(`?customer_id=${customer}`)).toMatchObject([{ amount: 10.5 }]);
  });

  it('ends a subscription that is written after another process has deleted its customer', async () => {
    const other = await startTestApp({
      databaseUrl: app.databaseUrl,
      clockStart: '2026-01-11T00:00:00Z',
      env: { ROLES: 'api' },
    });
    const reservations = app.service.app.get(OverlapReservations, { strict: false });
    const take = reservations.reserveNew.bind(reservations);
    reservations.reserveNew = async (...terms) => {
      reservations.reserveNew = take;
      await other.request.post(`/api/customers/${customer}/delete/`).send({}).expect(200);
      return take(...terms);
    };
    const { subscription_id: id } = await shop.subscribe(customer, plan, '2026-01-01');
    await until(async () => (await get(`subscriptions/?customer_id=${customer}&status=ended`)).length === 1);
    expect(await get(`subscriptions/?customer_id=${customer}`)).toMatchObject([{ subscription_id: id }]);
    await until(async () => (await shop.invoices(`?customer_id=${customer}`)).length === 1);
    expect(await shop.invoices(`?customer_id=${customer}`)).toMatchObject([{ amount: 10.5 }]);
    await other.stop();
  });

  it('one that could not be billed is not deleted', async () => {
    const charge = { amount: 9_999_999_999, charge_timing: 'in_arrears', charge_behavior: 'full' };
    const dear = await shop.plan(`dear ${count}`, { recurring_charges: [{ name: 'a', ...charge }] });
    await app.request.patch(`/api/customers/${customer}/`).send({ tax_rate: 50 }).expect(200);
    await shop.subscribe(customer, dear, '2026-01-01');
    expect((await end('delete').expect(400)).body.title).toBe('amount_out_of_range');
    await get(`customers/${customer}/`);
    expect(await get(`subscriptions/?customer_id=${customer}&status=active`)).toHaveLength(1);
  });

  it('nobody unknown is deleted or erased', async () => {
    for (const how of ['delete', 'erase'] as const) {
      expect((await end(how, 'nobody').expect(404)).body.title).toBe('not_found');
    }
  });

  it('the same key deletes once', async () => {
    await shop.subscribe(customer, plan, '2026-01-01');
    const send = () => end('delete').set('Idempotency-Key', customer).expect(200);
    const first = await send();
    expect((await send()).body).toEqual(first.body);
  });
});

describe('erase', () => {
  it('makes the person unreadable in log, tables and recorded answers, and the books stay', async () => {
    const secret = {
      customer_id: `SECRET-${customer}`,
      customer_name: 'SECRET-Zofia',
      email: 'secret-mail@example.com',
      payment_provider_id: 'SECRET-cus',
      address: { city: 'SECRET-city', line1: 'SECRET-street', country: 'PL' },
      properties: { note: 'SECRET-note' },
      tax_ids: [{ type: 'vat', value: 'SECRET-vat' }],
      tax_rate: 10,
    };
    const { customer_id: id } = secret;
    const keyed = (path: string, body: object) => post(path, body).set('Idempotency-Key', `${path}-${id}`);
    await keyed('customers/', secret).expect(201);
    const terms = { customer_id: id, plan_id: plan, start_date: '2026-01-01' };
    const { body: subscription } = await keyed('subscriptions/', terms).expect(201);
    await keyed('credits/', { customer_id: id, amount: 5, currency_code: 'USD' }).expect(201);
    await keyed(`customers/${id}/delete/`, {}).expect(200);
    expect(await shop.invoices(`?customer_id=${id}`)).toMatchObject([
      { amount: 6.55, customer: { customer_id: id } },
    ]);
    const [{ invoice_pdf: link }] = await shop.invoices(`?customer_id=${id}`);
    expect((await fetch(link)).status).toBe(200);

    const { body: left } = await keyed(`customers/${id}/erase/`, {}).expect(200);
    expect(left).toMatchObject({ customer_id: null, customer_name: null, email: null, address: null });
    expect(JSON.stringify(left)).not.toMatch(/secret/i);

    const key = customerKeyOf(app.org, id);
    const { rows } = await app.pool.query('select wrapped_key from customer_keys where customer_key = $1', [
      key,
    ]);
    expect(rows).toEqual([{ wrapped_key: null }]);
    expect(await readableIn(app.pool, /.{0,40}secret-.{0,40}/i)).toEqual([]);

    // A repeat under the same Idempotency-Key is answered, without personal data.
    const again = await keyed('subscriptions/', terms).expect(201);
    expect(again.body).toMatchObject({
      subscription_id: subscription.subscription_id,
      customer: { customer_id: null, customer_name: null, email: null },
    });
    expect((await keyed('customers/', secret).expect(201)).body).toMatchObject({
      customer_id: null,
      address: null,
      properties: {},
      tax_ids: [],
      tax_rate: 10,
    });

    const books: { customer: object }[] = await get(`invoices/?customer_id=${id}`);
    expect(books).toMatchObject([{ amount: 6.55, customer: { customer_id: null, customer_name: null } }]);
    expect((await get(`subscriptions/${subscription.subscription_id}/`)).customer).toEqual({
      customer_id: null,
      customer_name: null,
      email: null,
    });
    await get(`subscriptions/${subscription.subscription_id}/history/`);
    expect((await end('erase', id).expect(200)).body).toEqual(left);
    await get(`customers/${id}/`, 404);
    expect((await post('customers/', { customer_id: id }).expect(400)).body.title).toBe('duplicate_resource');
  });

  it('a customer that is still there is deleted with it', async () => {
    await shop.subscribe(customer, plan, '2026-01-01');
    await end('erase').expect(200);
    expect(await get('subscriptions/?status=active')).not.toContainEqual(
      expect.objectContaining({ customer: { customer_id: null, customer_name: null, email: null } }),
    );
    expect(
      (await shop.invoices()).filter(
        ({ customer: who }: { customer: { customer_id: null } }) => who.customer_id === null,
      ).length,
    ).toBeGreaterThan(0);
  });

  it('later runs of the account compute as before', async () => {
    const { subscription_id: id } = await shop.subscribe(customer, plan, '2026-01-01');
    await end('erase').expect(200);
    const context = { org: app.org, commandId: randomUUID(), correlationId: 'test', actor: 'system' };
    const account = { customerKey: customerKeyOf(app.org, customer), currency: 'USD' };
    const run = new RunBilling(context, account, [fromWireId('sub', id)!]);
    expect(await app.service.app.get(CommandBus).execute(run)).toEqual({ invoiceId: undefined });
  });

  it('every invoice verifies', async () => {
    expect(await verifyAll(app)).toBeGreaterThan(3);
  });
});
