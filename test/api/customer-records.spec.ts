import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, type Shop } from '../support/shop.js';

let app: TestApp;
let shop: Shop;
let plan: string;
let euroPlan: string;

const MONTHLY = { recurring_charges: [{ name: 'base', amount: 10, charge_timing: 'in_advance' }] };

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-10T00:00:00Z' });
  shop = shopOf(app);
  plan = await shop.plan('Monthly', { ...MONTHLY, components: [] });
  euroPlan = await shop.plan('Euro', { ...MONTHLY, components: [], currency_code: 'EUR' });
});
afterAll(() => app.stop());

const customer = async (id: string) => (await app.request.get(`/api/customers/${id}/`).expect(200)).body;

describe('a customer', () => {
  it('is shown with its running subscriptions and issued invoices as the lists show them', async () => {
    await shop.customer('acme');
    await shop.subscribe('acme', plan, '2026-01-10T00:00:00Z');
    const ended = await shop.subscribe('acme', euroPlan, '2026-01-10T00:00:00Z');
    await app.request.post(`/api/subscriptions/${ended.subscription_id}/cancel/`).send({}).expect(200);
    await app.advance('2026-02-11T00:00:00Z');

    const shown = await customer('acme');
    const { body: subscriptions } = await app.request
      .get('/api/subscriptions/?customer_id=acme&status=active')
      .expect(200);
    expect(shown.subscriptions).toEqual(subscriptions);
    expect(shown.subscriptions).toHaveLength(1);
    const invoices = await shop.invoices('?customer_id=acme');
    expect(invoices.length).toBeGreaterThan(2);
    const whole = ['line_items', 'customer', 'seller', 'invoice_pdf'];
    const summaryOf = (invoice: object) =>
      Object.fromEntries(Object.entries(invoice).filter(([name]) => !whole.includes(name)));
    expect(shown.invoices).toEqual(invoices.map(summaryOf));
  });

  it('owes the sum of its unpaid invoices in its currency, one for which it has no setting included', async () => {
    await shop.customer('debtor');
    await shop.subscribe('debtor', plan, '2026-02-01T00:00:00Z');
    await shop.subscribe('debtor', euroPlan, '2026-02-01T00:00:00Z');
    const dueIn = async (code: string) =>
      (await shop.invoices(`?customer_id=debtor&status=unpaid&currency_code=${code}`)).reduce(
        (sum: number, { cost_due }: { cost_due: number }) => sum + cost_due,
        0,
      );
    expect(await dueIn('USD')).toBe(10);
    expect(await customer('debtor')).toMatchObject({
      total_amount_due: await dueIn('USD'),
      amounts_due: [
        { currency: { code: 'EUR' }, amount: await dueIn('EUR') },
        { currency: { code: 'USD' }, amount: await dueIn('USD') },
      ],
      default_currency: { code: 'USD' },
    });
    await app.request.patch('/api/customers/debtor/').send({ default_currency_code: 'EUR' }).expect(200);
    expect(await customer('debtor')).toMatchObject({
      total_amount_due: await dueIn('EUR'),
      default_currency: { code: 'EUR' },
    });
    const [unpaid] = await shop.invoices('?customer_id=debtor&status=unpaid&currency_code=EUR');
    await app.request
      .patch(`/api/invoices/${unpaid.invoice_id}/`)
      .send({ payment_status: 'paid' })
      .expect(200);
    expect(await customer('debtor')).toMatchObject({
      total_amount_due: 0,
      amounts_due: [{ currency: { code: 'USD' }, amount: 10 }],
    });
  });

  it('is listed exactly as it is shown alone', async () => {
    const { body: listed } = await app.request.get('/api/customers/').expect(200);
    expect(listed.length).toBeGreaterThan(1);
    for (const one of listed) expect(one).toEqual(await customer(one.customer_id));
  });

  it("has the organization's currency and zone until it has its own", async () => {
    await shop.customer('heir');
    await app.request
      .patch('/api/organization/')
      .send({ default_currency_code: 'PLN', timezone: 'Europe/Warsaw' })
      .expect(200);
    const inherited = { default_currency: { code: 'PLN' }, default_currency_code: null };
    expect(await customer('heir')).toMatchObject({ ...inherited, timezone: 'Europe/Warsaw' });
    await app.request.patch('/api/customers/heir/').send({ timezone: 'Asia/Tokyo' }).expect(200);
    expect(await customer('heir')).toMatchObject({ ...inherited, timezone: 'Asia/Tokyo' });
  });

  it('is answered whole to If-None-Match, as an invoice changes it and not its ETag', async () => {
    await shop.customer('reader');
    const { headers } = await app.request.get('/api/customers/reader/').expect(200);
    await shop.subscribe('reader', plan, '2026-02-01T00:00:00Z');
    const again = await app.request
      .get('/api/customers/reader/')
      .set('If-None-Match', headers['etag']!)
      .expect(200);
    expect(again.headers['etag']).toBe(headers['etag']);
    expect(again.body.subscriptions).toHaveLength(1);
    await app.request
      .patch('/api/customers/reader/')
      .set('If-Match', headers['etag']!)
      .send({ customer_name: 'Reader' })
      .expect(200);
  });
});
