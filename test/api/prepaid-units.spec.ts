import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { full, prepaidShopOf, prorate } from '../support/prepaid-shop.js';
import { times } from '../support/shop.js';
import { readModelsAtHead } from '../support/stored.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
let shop: ReturnType<typeof prepaidShopOf>;
let metric: string;

const HALF = '2026-01-16T12:00:00Z';
const linesOf = (invoice: { line_items: { name: string; subtotal: number }[] }) =>
  invoice.line_items.map(({ name, subtotal }) => [name, subtotal]);
const path = (id: string, of = metric, query = '') =>
  `/api/subscriptions/${id}/components/${of}/change_prepaid_units/${query}`;
const change = (id: string, body: object) => app.request.post(path(id)).send(body);
const creditsOf = async (customer: string) =>
  (await app.request.get(`/api/credits/?customer_id=${customer}`).expect(200)).body;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:10Z' });
  shop = prepaidShopOf(app);
  metric = await shop.theMetric();
});
afterAll(() => app.stop());

describe('changing prepaid units, one after the other', () => {
  it('is refused for what cannot be, and changes nothing', async () => {
    const { customer, id } = await shop.subscribed(full(20));
    const refused = async (body: object) => fieldErrorsOf((await change(id, body).expect(400)).body);
    expect(await refused({ units: -5 })).toEqual({ units: 'min_value' });
    expect(await refused({ units: 1e10 })).toEqual({ units: 'max_value' });
    expect(await refused({})).toEqual({ units: 'required' });
    expect(await refused({ units: 'many', invoice_now: 'perhaps' })).toEqual({
      units: 'invalid',
      invoice_now: 'invalid',
    });

    const plain = await shop.subscribed(null);
    expect((await change(plain.id, { units: 5 }).expect(400)).body.title).toBe('invalid_operation');
    const other = await shop.metric({ metric_name: 'elsewhere', event_name: 'elsewhere' });
    const notInPlan = await app.request.post(path(id, other)).send({ units: 5 }).expect(400);
    expect(notInPlan.body.title).toBe('invalid_operation');
    for (const unknown of [`metric_${'a'.repeat(32)}`, 'notuuid']) {
      const { body } = await app.request.post(path(id, unknown)).send({ units: 5 }).expect(404);
      expect(body.title).toBe('not_found');
    }
    for (const unknown of [`sub_${'a'.repeat(32)}`, 'notuuid']) {
      expect((await change(unknown, { units: 5 }).expect(404)).body.title).toBe('resource_not_found');
    }
    expect(await shop.amountsOf(customer)).toEqual([10]);
  });

  it('takes forms of both kinds, where "false" is false', async () => {
    const { customer, id } = await shop.subscribed(full(20));
    await app.request.post(path(id)).type('form').send({ units: '30', invoice_now: 'false' }).expect(200);
    await app.request.post(path(id)).field('units', '31').field('invoice_now', 'false').expect(200);
    expect(await shop.amountsOf(customer)).toEqual([10]);
    await app.request.post(path(id)).type('form').send({ units: '32' }).expect(200);
    expect((await shop.amountsOf(customer)).sort((a, b) => a - b)).toEqual([10, 12]);
  });

  it('that could not be invoiced is refused before anything is written', async () => {
    const tiers = [{ type: 'per_unit', range_start: 0, cost_per_batch: 9e9, metric_units_per_batch: 1 }];
    const { customer, id } = await shop.subscribed(full(1), { tiers });
    expect((await change(id, { units: 4 }).expect(400)).body.title).toBe('amount_out_of_range');
    await readModelsAtHead(app);
    const [row] = (
      await app.pool.query('select prepaid_units from subscriptions where subscription_id::text = $1', [
        uuidOf(id),
      ])
    ).rows;
    expect(row.prepaid_units).toMatchObject([{ units: '1' }]);
    expect(await shop.amountsOf(customer)).toEqual([9e9]);
  });

  const table = [
    ['full', 30, true, [10], 0, 5],
    ['full', 5, true, [0], 10, 15],
    ['full', 30, false, [], 0, 15],
    ['prorate', 30, true, [5], 0, 5],
    ['prorate', 5, true, [0], 5, 20],
    ['prorate', 30, false, [], 0, 10],
  ] as const;
  const rows: { customer: string; id: string }[] = [];
  let renewing: { customer: string; id: string };
  let late: { customer: string; id: string };

  it('is invoiced at once, or with what comes next (the table of docs/billing.md#prepaid-units)', async () => {
    for (const [behavior] of table)
      rows.push(await shop.subscribed(behavior === 'full' ? full(20) : prorate(20)));
    renewing = await shop.subscribed(prorate(20), {}, { auto_renew: true });
    late = await shop.subscribed(full(20));
    await app.advance(HALF);
    for (const [place, [, units, invoiceNow, now, credit]] of table.entries()) {
      const { customer, id } = rows[place]!;
      const preview = await app.request
        .post(path(id, metric, '?preview=true'))
        .send({ units, invoice_now: invoiceNow })
        .expect(200);
      expect(await shop.amountsOf(customer)).toEqual([10]);

      const { body } = await change(id, { units, invoice_now: invoiceNow }).expect(200);
      expect(body).toEqual((await app.request.get(`/api/subscriptions/${id}/`).expect(200)).body);
      expect(await shop.amountsOf(customer)).toEqual([...now, 10]);
      expect((await creditsOf(customer)).map(({ amount }: { amount: number }) => amount)).toEqual(
        credit ? [credit] : [],
      );

      // The preview has the lines of the invoice that the change makes, or of the next one that they are added to.
      const [invoice] = invoiceNow ? await shop.invoicesOf(customer) : await shop.drafts(customer);
      const { line_items, amount } = invoice;
      expect(preview.body.invoices).toMatchObject([
        { payment_status: 'draft', invoice_number: null, line_items, amount },
      ]);
    }
  });

  it('a later change is on the draft of the next invoice', async () => {
    const [draft] = await shop.drafts(rows[2]!.customer);
    expect(linesOf(draft)).toEqual([
      ['requests (prepaid)', 10],
      ['requests', 0],
    ]);
  });

  it('asking again under one key changes once, and asking the same again changes nothing', async () => {
    const { customer, id } = late;
    const send = () => change(id, { units: 25 }).set('Idempotency-Key', 'units-25').expect(200);
    const { body: first } = await send();
    expect((await send()).body).toEqual(first);
    await change(id, { units: 25 }).expect(200);
    expect(await shop.amountsOf(customer)).toEqual([5, 10]);
    await change(id, { units: 26, invoice_now: false }).expect(200);
    await change(id, { units: 26, invoice_now: true }).expect(200);
    expect((await shop.amountsOf(customer)).sort((a, b) => a - b)).toEqual([1, 5, 10]);
  });

  it('is on the history of the subscription and explained on its invoice', async () => {
    const { customer, id } = rows[3]!;
    const { body } = await app.request.get(`/api/subscriptions/${id}/history/`).expect(200);
    const event = body.events.find(({ type }: { type: string }) => type === 'PrepaidUnitsChanged');
    expect(event).toMatchObject({
      effective_at: HALF,
      data: { unitsBefore: '20', units: '30', invoiceNow: true },
    });
    const [invoice] = await shop.invoicesOf(customer);
    const explained = await app.request.get(`/api/invoices/${invoice.invoice_id}/explain/`).expect(200);
    expect(explained.body.lines).toMatchObject([
      {
        rule: 'prepaid_units',
        inputs: {
          prepaid_units: [
            { units: 20, from: '2026-01-01T00:00:00Z', fraction: '1/2' },
            { units: 30, from: HALF, fraction: '1/2' },
          ],
        },
      },
    ]);
  });

  it('what is paid for beforehand may be used, and costs nothing more', async () => {
    const { customer } = rows[0]!;
    const ask = async () =>
      (await app.request.get(`/api/metric_access/?customer_id=${customer}&metric_id=${metric}`)).body;
    expect(await ask()).toMatchObject({
      access: true,
      access_per_subscription: [{ metric_free_limit: 30, metric_total_limit: null }],
    });
  });

  it('goes with a renewal, and usage above the latest units is billed at the end', async () => {
    await change(renewing.id, { units: 40 }).expect(200);
    await app.advance('2026-01-20T00:00:00Z');
    const used = times(35, '2026-01-19T00:00:00Z');
    for (const { customer } of rows) await shop.use(...used.map((event) => ({ ...event, customer })));
    await app.advance('2026-02-01T01:00:00Z');
    for (const [place, [, , , now, , end]] of table.entries()) {
      expect(await shop.amountsOf(rows[place]!.customer)).toEqual([end, ...now, 10]);
    }
    // 40 units cost 30.00: half of the additional 20.00 now, then the whole price of the next month.
    expect(await shop.amountsOf(renewing.customer)).toEqual([30, 10, 10]);
    const { body } = await app.request.get(
      `/api/subscriptions/?customer_id=${renewing.customer}&status=active`,
    );
    expect(body).toHaveLength(1);
    await change(body[0].subscription_id, { units: 10 }).expect(200);
    expect((await creditsOf(renewing.customer))[0]).toBeUndefined();
  });

  it('is refused once the subscription is over, also as a preview', async () => {
    for (const query of ['', '?preview=true']) {
      const { body } = await app.request
        .post(path(rows[0]!.id, metric, query))
        .send({ units: 5 })
        .expect(400);
      expect(body.title).toBe('invalid_state');
    }
  });

  it('names an unknown metric before the end of the subscription, also as a preview', async () => {
    for (const query of ['', '?preview=true']) {
      for (const unknown of [`metric_${'a'.repeat(32)}`, 'notuuid']) {
        const { body } = await app.request
          .post(path(rows[0]!.id, unknown, query))
          .send({ units: 5 })
          .expect(404);
        expect(body.title).toBe('not_found');
      }
    }
  });

  it('every invoice is found again by computing it once more', async () => {
    expect(await verifyAll(app)).toBeGreaterThan(20);
  });
});

const uuidOf = (id: string): string => id.replace(/^sub_(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
