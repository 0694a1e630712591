import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, times } from '../support/shop.js';

/** The sum of three events of 9e307: no double is as large. */
const TOTAL = `27${'0'.repeat(307)}`;

describe('usage beyond the range of a double (docs/contract.md#numbers)', () => {
  let app: TestApp;
  let metric: string;
  let invoice: string;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    const shop = shopOf(app);
    metric = await shop.metric({ aggregation_type: 'sum', property_name: 'bytes' });
    const components = [aComponentBody(metric, { tiers: [{ type: 'free', range_start: 0 }] })];
    const recurring_charges = [aChargeBody({ charge_timing: 'in_arrears' })];
    const plan = await shop.plan('Metered', { recurring_charges, components });
    await shop.customer('acme');
    await shop.subscribe('acme', plan, '2026-01-01');
    await app.advance('2026-01-11T00:00:00Z');
    await shop.use(
      ...times(3, '2026-01-05T00:00:00Z').map((one) => ({ ...one, properties: { bytes: 9e307 } })),
    );
  });
  afterAll(() => app.stop());

  const textOf = async (path: string): Promise<string> => (await app.request.get(path).expect(200)).text;
  const shows = (field: string) => `"${field}":${TOTAL}`;

  it('is shown with every digit while its window runs', async () => {
    const usage = await textOf('/api/usage/?customer_id=acme&group_by_property=bytes');
    expect(usage.split(shows('quantity'))).toHaveLength(3);
    expect(await textOf(`/api/metric_access/?customer_id=acme&metric_id=${metric}`)).toContain(
      shows('metric_usage'),
    );
    expect(await textOf('/api/customers/acme/draft_invoice/')).toContain(shows('quantity'));
    expect(
      await textOf('/api/analytics/usage-by-metric/?range_start=2026-01-01&range_end=2026-01-10'),
    ).toContain(shows('quantity'));
  });

  it('is shown with every digit on its invoice', async () => {
    await app.advance('2026-02-01T01:00:00Z');
    const [issued] = (await app.request.get('/api/invoices/?customer_id=acme').expect(200)).body;
    invoice = `/api/invoices/${issued.invoice_id}/`;
    expect(await textOf(invoice)).toContain(shows('quantity'));
    expect(await textOf(`${invoice}explain/`)).toContain(shows('quantity'));
    expect(await textOf('/api/usage/?customer_id=acme&range_start=2026-01-01')).toContain(
      shows('billed_quantity'),
    );
  });

  it('is in the recorded answer of a repeat as in the first', async () => {
    const voided = async () =>
      (await app.request.post(`${invoice}void/`).set('Idempotency-Key', 'void').send({}).expect(200)).text;
    const first = await voided();
    expect(first).toContain(shows('quantity'));
    expect(await voided()).toBe(first);
  });
});
