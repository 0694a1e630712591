import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { aPng } from '../support/builders/png.js';
import { shopOf, times } from '../support/shop.js';
import type { TestApp } from '../support/app.js';

export const CLOCK_START = '2026-01-01T00:00:00Z';

/**
 * Writes two months of four customers. `acme` has 180 events in January and unbilled ones in March; `payer` has a
 * paid invoice and credits; `voider` has a voided invoice; `quiet` owes nothing.
 */
export async function writeShopBooks(app: TestApp): Promise<void> {
  const shop = shopOf(app);
  const post = (path: string, body: object) => app.request.post(path).send(body);
  const metric = await shop.metric({ aggregation_type: 'sum', property_name: 'bytes' });
  const components = [aComponentBody(metric)];
  const basic = await shop.plan('Basic', { recurring_charges: [aChargeBody({ amount: 5 })], components });
  const metered = await shop.plan('Metered', { recurring_charges: [], components });
  await post('/api/api_keys/', { name: 'clerk', scope: 'write' }).expect(201);
  for (const customer of ['acme', 'payer', 'voider', 'quiet']) {
    await shop.customer(customer, { tax_rate: 10 });
    await shop.subscribe(customer, customer === 'quiet' ? metered : basic, '2026-01-01');
  }
  const credit = { customer_id: 'payer', amount: 2, currency_code: 'USD', description: 'sorry' };
  await post('/api/credits/', credit).expect(201);
  await app.advance('2026-01-15T00:00:00Z');
  for (const day of ['03', '07', '12']) {
    const used = times(60, `2026-01-${day}T00:00:00Z`, { bytes: 10, path: '/a' });
    await shop.use(...used.map((event) => ({ ...event, customer: 'acme' })));
  }
  await app.advance('2026-02-02T00:00:00Z');
  const [paid] = await shop.invoices('?customer_id=payer');
  await app.request.patch(`/api/invoices/${paid.invoice_id}/`).send({ payment_status: 'paid' }).expect(200);
  const [voided] = await shop.invoices('?customer_id=voider');
  await post(`/api/invoices/${voided.invoice_id}/void/`, {}).expect(200);
  await app.advance('2026-03-02T00:00:00Z');
  await shop.use(
    ...times(5, '2026-03-01T12:00:00Z', { bytes: 7 }).map((event) => ({ ...event, customer: 'acme' })),
  );
}

/** Adds webhook endpoints, usage alerts and logos, which have tables of their own. */
export async function writeSettings(app: TestApp): Promise<void> {
  const metric = await shopOf(app).metric({ metric_name: 'Watched', event_name: 'watched' });
  for (const name of ['books', 'shipping']) {
    const endpoint = {
      name,
      webhook_url: `https://hooks.example.com/${name}`,
      triggers: ['invoice.created'],
    };
    await app.request.post('/api/webhooks/').send(endpoint).expect(201);
    await shopOf(app).customer(`watched-${name}`);
    const alert = { name, metric_id: metric, customer_id: `watched-${name}`, threshold: 1_000 };
    await app.request.post('/api/usage-alerts/').send(alert).expect(201);
    const logo = { data: aPng(40, name.length).toString('base64') };
    await app.request.patch('/api/organization/').send({ logo }).expect(200);
  }
}
