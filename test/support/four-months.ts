import type { TestApp } from './app.js';
import { aChargeBody, aComponentBody, anAddonBody } from './builders/catalog-bodies.js';
import { times, type Shop } from './shop.js';
import { readModelsAtHead } from './stored.js';

/**
 * Writes four months of books: an upgrade, an add-on, a yearly plan, a cancellation, credits, payments, a void and
 * usage.
 */
export async function fourMonths(app: TestApp, shop: Shop): Promise<void> {
  const { request } = app;
  await request.patch('/api/organization/').send({ tax_rate: 10, payment_grace_period: 14 }).expect(200);
  const components = [aComponentBody(await shop.metric())];
  const fee = (amount: number) => ({ recurring_charges: [aChargeBody({ amount })], components });
  const basic = await shop.plan('Basic', fee(30));
  const pro = await shop.plan('Pro', fee(60));
  const yearly = await shop.plan('Yearly', fee(1200), { plan_duration: 'yearly' });
  const addon = await request.post('/api/addons/').send(
    anAddonBody('Support', {
      recurring_charges: [aChargeBody({ amount: 5 })],
      billing_frequency: 'recurring',
    }),
  );
  const credit = (customer: string, amount: number, more: object) =>
    request
      .post('/api/credits/')
      .send({ customer_id: customer, amount, currency_code: 'USD', description: 'credit', ...more })
      .expect(201);
  const startsOn = async (customer: string, plan: string, day: string) => {
    await shop.customer(customer);
    return (await shop.subscribe(customer, plan, day)).subscription_id;
  };
  const running = async (customer: string): Promise<string> =>
    (await request.get(`/api/subscriptions/?customer_id=${customer}&status=active`)).body[0].subscription_id;

  await startsOn('acme', basic, '2026-01-01');
  await startsOn('beta', basic, '2026-01-01');
  await credit('acme', 100, { amount_paid: 80, amount_paid_currency_code: 'USD' });
  await credit('beta', 10, { expires_at: '2026-01-20' });
  await app.advance('2026-01-15T00:00:00Z');
  await shop.use(...times(900, '2026-01-10T00:00:00Z'));
  await startsOn('gamma', yearly, '2026-01-15');
  const given = await credit('gamma', 7, {});
  await request.post(`/api/credits/${given.body.credit_id}/void/`).send({}).expect(200);
  await app.advance('2026-02-10T00:00:00Z');
  await shop.use(...times(300, '2026-02-05T00:00:00Z'));
  await request
    .post(`/api/subscriptions/${await running('acme')}/switch_plan/`)
    .send({ switch_plan_id: pro })
    .expect(200);
  await startsOn('delta', basic, '2026-02-10');
  await request
    .post(`/api/subscriptions/${await running('beta')}/addons/attach/`)
    .send({ addon_id: addon.body.addon_id })
    .expect(201);
  await app.advance('2026-03-05T00:00:00Z');
  await request
    .post(`/api/subscriptions/${await running('beta')}/cancel/`)
    .send({ flat_fee_behavior: 'charge_full' })
    .expect(200);
  await app.advance('2026-04-20T00:00:00Z');
  const [first, second] = await shop.invoices('?customer_id=delta');
  await request.post(`/api/invoices/${first.invoice_id}/void/`).send({}).expect(200);
  await request.patch(`/api/invoices/${second.invoice_id}/`).send({ payment_status: 'paid' }).expect(200);
  // Callers query the read models in SQL.
  await readModelsAtHead(app);
}
