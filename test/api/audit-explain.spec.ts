import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { pagesOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, times } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
let subscription: string;
let metric: string;
let invoices: readonly {
  readonly invoice_id: string;
  readonly invoice_number: string;
  readonly amount: number;
  readonly line_items: readonly { readonly name: string; readonly amount: number }[];
}[];

const explain = async (name: string) =>
  (await app.request.get(`/api/invoices/${name}/explain/`).expect(200)).body;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-11T00:00:00Z' });
  const shop = shopOf(app);
  await app.request.patch('/api/organization/').send({ tax_rate: 10 }).expect(200);
  metric = await shop.metric();
  const plan = await shop.plan('Metered', {
    day_anchor: 1,
    recurring_charges: [aChargeBody({ name: 'Fee', amount: 31 })],
    components: [aComponentBody(metric)],
    price_adjustment: {
      price_adjustment_name: 'Ten off',
      price_adjustment_type: 'percentage',
      price_adjustment_amount: -10,
    },
  });
  await shop.customer('acme');
  subscription = (await shop.subscribe('acme', plan, '2026-01-11')).subscription_id;
  await shop.use(...times(101, '2026-01-11T00:00:00Z'));
  await app.advance('2026-02-02T00:00:00Z');
  invoices = (await shop.invoices()).toReversed();
});
afterAll(() => app.stop());

describe('GET /api/invoices/{id}/explain/', () => {
  it('says of a fee what it is, the exact part of it that is charged, and what was added', async () => {
    const explained = await explain(invoices[0]!.invoice_id);
    expect(explained).toMatchObject({
      invoice_id: invoices[0]!.invoice_id,
      invoice_number: invoices[0]!.invoice_number,
      as_of: '2026-01-11T00:00:00Z',
      computed_by: { type: 'InvoiceComputed', recorded_at: '2026-01-11T00:00:00Z' },
    });
    expect(explained.lines).toMatchObject([
      {
        line: 1,
        name: 'Fee',
        subscription_id: subscription,
        rule: 'recurring_charge',
        fraction: '21/31',
        inputs: {
          billing_type: 'in_advance',
          start: '2026-01-11T00:00:00Z',
          end: '2026-02-01T00:00:00Z',
          price: { name: 'Fee', amount: '31', behavior: 'prorate' },
          tax_rate: '10',
        },
        base: 21,
        adjustments: [
          { adjustment_type: 'plan_adjustment', amount: -2.1 },
          { adjustment_type: 'sales_tax', amount: 1.89 },
        ],
        subtotal: 18.9,
        amount: 20.79,
        usage: null,
        previous_usage: null,
        follows_from: [{ type: 'SubscriptionStarted', effective_at: '2026-01-11T00:00:00Z' }],
      },
    ]);
  });

  it('says of usage what was counted, from which evidence, by which prices and after which events', async () => {
    const { lines } = await explain(invoices[1]!.invoice_id);
    const usage = lines.find(({ rule }: { rule: string }) => rule === 'usage');
    expect(usage).toMatchObject({
      inputs: { quantity: 101, price: { volume: false, tiers: [{ type: 'free' }, { type: 'per_unit' }] } },
      base: 0.5,
      usage: {
        metric_id: metric,
        window: { start: '2026-01-11T00:00:00Z', end: '2026-02-01T00:00:00Z' },
        quantity: '101',
        event_count: 101,
        absent_values: 0,
        sealed_up_to: expect.stringMatching(/^\d+$/),
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect(usage.follows_from.map(({ type }: { type: string }) => type)).toEqual([
      'SubscriptionStarted',
      'SubscriptionRenewed',
      'UsagePeriodClosed',
    ]);
  });

  it('explains every line there is, by the invoice’s number too', async () => {
    for (const { invoice_id, invoice_number, line_items: items } of invoices) {
      const explained = await explain(invoice_number);
      expect(explained).toEqual(await explain(invoice_id));
      expect(
        explained.lines.map(({ name, amount }: { name: string; amount: number }) => [name, amount]),
      ).toEqual(items.map(({ name, amount }) => [name, amount]));
    }
    expect(await verifyAll(app)).toBe(invoices.length);
  });

  it('an unknown invoice, a name that cannot be one, and another tenant’s are not found', async () => {
    const other = await anotherTenant(app);
    for (const name of ['invoice_00000000-0000-4000-8000-000000000001', '260101-000001', 'x']) {
      await app.request.get(`/api/invoices/${name}/explain/`).expect(404);
    }
    const { body } = await other.request.get(`/api/invoices/${invoices[0]!.invoice_id}/explain/`).expect(404);
    expect(body.title).toBe('not_found');
  });
});

describe('GET /api/invoices/{id}/explain/lines/{line}/events/', () => {
  const pathOf = (line: number, query = '') =>
    `/api/invoices/${invoices[1]!.invoice_number}/explain/lines/${line}/events/${query}`;

  it('lists over any pages the events that the line counts, not those that came later or elsewhere', async () => {
    const { lines } = await explain(invoices[1]!.invoice_id);
    const usage = lines.find((line: { usage: object | null }) => line.usage !== null);
    expect(usage.usage.event_count).toBe(101);
    const shop = shopOf(app);
    await shop.use({ at: '2026-01-12T00:00:00Z', id: 'late' }, { at: '2026-02-01T00:00:00Z', id: 'next' });
    const pages = await pagesOf<{ idempotency_id: string; event_name: string; time_created: string }>(
      app.request,
      pathOf(usage.line, '?limit=40'),
    );
    expect(pages.map((page) => page.length)).toEqual([40, 40, 21]);
    const ids = pages.flat().map(({ idempotency_id }) => idempotency_id);
    expect(ids.toSorted()).toEqual(Array.from({ length: 101 }, (_, n) => `used-${n + 1}`).toSorted());
    expect(pages[0]![0]).toMatchObject({ event_name: 'request', time_created: '2026-01-11T00:00:00Z' });
  });

  it('lists them by time both ways on request, each once', async () => {
    const { lines } = await explain(invoices[1]!.invoice_id);
    const usage = lines.find((line: { usage: object | null }) => line.usage !== null);
    const paged = async (query: string) =>
      (await pagesOf<{ idempotency_id: string }>(app.request, pathOf(usage.line, `?limit=40${query}`)))
        .flat()
        .map(({ idempotency_id: id }) => id);
    const ids = await paged('');
    expect(await paged('&ordering=time_created')).toEqual(ids);
    expect(await paged('&ordering=-time_created')).toEqual(ids.toReversed());
    await app.request.get(pathOf(usage.line, '?ordering=idempotency_id')).expect(400);
    const { headers } = await app.request
      .get(pathOf(usage.line, '?ordering=-time_created&limit=1'))
      .expect(200);
    const cursor = /cursor=([\w-]+)/.exec(headers['link'] as string)![1]!;
    await app.request.get(pathOf(usage.line, `?ordering=time_created&cursor=${cursor}`)).expect(400);
  });

  it('lists nothing for a line that counts nothing, and refuses a line that is not there', async () => {
    const { lines } = await explain(invoices[1]!.invoice_id);
    const fee = lines.find((line: { usage: object | null }) => line.usage === null);
    expect((await app.request.get(pathOf(fee.line)).expect(200)).body).toEqual([]);
    for (const line of [0, 99]) await app.request.get(pathOf(line)).expect(404);
    const other = await anotherTenant(app);
    await other.request.get(pathOf(1)).expect(404);
  });
});
