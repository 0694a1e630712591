import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

interface Shown {
  readonly invoice_id: string;
  readonly invoice_number: string | null;
  readonly payment_status: string;
  readonly customer: { readonly customer_id: string };
  readonly issue_date: string;
  readonly invoice_pdf: string | null;
  readonly line_items: readonly {
    readonly name: string;
    readonly amount: number;
    readonly metadata: object;
  }[];
}

const linesOf = ({ line_items: lines }: Shown) => lines.map(({ name, amount }) => [name, amount]);

/** Returns the fields that a draft and its issued invoice have in common. */
function withoutIdentity(invoice: Shown): object {
  const { invoice_id: _, invoice_number: __, payment_status: ___, invoice_pdf: ____, ...rest } = invoice;
  return rest;
}

describe('draft invoices', () => {
  let app: TestApp;
  let shop: Shop;
  let feeOnly: string;
  let feeAndUsage: string;
  let usageOnly: string;
  let inEuro: string;
  let weekly: string;
  let counted: string;
  let countedByWeek: string;
  let inArrears: string;
  let weeklyFee: string;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-10T00:00:00Z' });
    shop = shopOf(app);
    const settings = { tax_rate: 7.25, payment_grace_period: 10, address: null };
    await app.request.patch('/api/organization/').send(settings).expect(200);
    const metricId = await shop.metric({ aggregation_type: 'sum', property_name: 'bytes' });
    const component = aComponentBody(metricId);
    const fees = { recurring_charges: [aChargeBody({ amount: 9.99 })] };
    feeOnly = await shop.plan('Fee', fees);
    feeAndUsage = await shop.plan('Fee and usage', { ...fees, components: [component] });
    usageOnly = await shop.plan('Usage', { recurring_charges: [], components: [component] });
    inEuro = await shop.plan('Euro', { ...fees, currency_code: 'EUR' });
    const reset = { reset_interval_unit: 'week', reset_interval_count: 1 };
    const invoiced = { invoicing_interval_unit: 'week', invoicing_interval_count: 1 };
    weekly = await shop.plan('Weekly', {
      recurring_charges: [aChargeBody({ amount: 3.33, ...reset })],
      components: [{ ...component, ...reset }],
    });
    counted = await shop.plan('Counted', {
      recurring_charges: [],
      components: [{ ...component, ...invoiced }],
    });
    countedByWeek = await shop.plan('Counted by week', {
      recurring_charges: [],
      components: [{ ...component, ...reset, ...invoiced }],
    });
    weeklyFee = await shop.plan('Weekly fee', {
      recurring_charges: [aChargeBody({ charge_behavior: 'full', amount: 7, ...reset })],
    });
    inArrears = await shop.plan('In arrears', {
      recurring_charges: [aChargeBody({ charge_timing: 'in_arrears' })],
    });
  });
  afterAll(() => app.stop());
  /** Ends what a test sold: time moves on, and the tests after it bill customers of their own. */
  afterEach(async () => {
    const sold: Shown[] = (await app.request.get('/api/subscriptions/?status=active').expect(200)).body;
    for (const customer_id of new Set(sold.map(({ customer }) => customer.customer_id)))
      await app.request.post('/api/subscriptions/cancel/').send({ customer_id }).expect(200);
  });

  /** Creates a customer on these plans, with usage worth 0.50 at the current time. */
  async function customer(id: string, ...plans: [plan: string, changes?: object][]): Promise<void> {
    await shop.customer(id);
    const at = await now();
    for (const [plan, changes = {}] of plans) await shop.subscribe(id, plan, at.slice(0, 10), changes);
    await shop.use({ customer: id, at, properties: { bytes: 600 } });
  }

  const now = async (): Promise<string> => (await app.request.get('/api/test_clock/').expect(200)).body.now;
  const today = async () => (await now()).slice(0, 10);

  /** Expects that each draft equals the invoice that is issued on its date, and returns the drafts. */
  async function foretold(id: string): Promise<Shown[]> {
    const drafts: Shown[] = await shop.drafts(id);
    expect(drafts.length).toBeGreaterThan(0);
    for (const draft of [...drafts].sort((a, b) => (a.issue_date < b.issue_date ? -1 : 1))) {
      await app.advance(draft.issue_date);
      const billed: Shown[] = await shop.invoices(`?customer_id=${id}`);
      expect(billed.map(withoutIdentity)).toContainEqual(withoutIdentity(draft));
    }
    return drafts;
  }

  it('are invoices without a number that nothing keeps', async () => {
    await customer('shape', [feeAndUsage]);
    const before = await shop.invoices();
    const [draft] = await shop.drafts('shape');
    expect(draft).toMatchObject({
      invoice_id: expect.stringMatching(/^invoice_/),
      invoice_number: null,
      payment_status: 'draft',
      issue_date: '2026-02-10T00:30:00Z',
      due_date: '2026-02-20T00:30:00Z',
      start_date: '2026-01-10',
      end_date: '2026-03-09',
      customer: { customer_id: 'shape', address: null },
      invoice_pdf: null,
    });
    expect(linesOf(draft)).toEqual([
      ['requests', 0.54],
      ['platform fee', 10.71],
    ]);
    expect(await shop.drafts('shape')).toEqual([draft]);
    expect(await shop.invoices()).toEqual(before);
    await app.request.get(`/api/invoices/${draft.invoice_id}/`).expect(404);
  });

  it('show the usage counted so far', async () => {
    await customer('growing', [usageOnly]);
    expect(linesOf((await shop.drafts('growing'))[0])).toEqual([['requests', 0.54]]);
    await shop.use({ customer: 'growing', at: '2026-01-10T00:00:00Z', properties: { bytes: 2000 } });
    expect(linesOf((await shop.drafts('growing'))[0])).toEqual([['requests', 1.61]]);
  });

  it('leave out what the next period charges in advance when asked to', async () => {
    await customer('so-far', [feeAndUsage]);
    const [draft] = await shop.drafts('so-far', '?include_next_period=false');
    expect(linesOf(draft)).toEqual([['requests', 0.54]]);
    await customer('fee', [feeOnly]);
    expect(await shop.drafts('fee', '?include_next_period=false')).toEqual([]);
  });

  it('a period that begins inside a longer term is a next period too', async () => {
    await customer('quarter', [feeAndUsage, { end_date: '2026-04-10T00:00:00Z', auto_renew: false }]);
    expect(linesOf((await shop.drafts('quarter'))[0])).toEqual([
      ['platform fee', 10.71],
      ['requests', 0.54],
    ]);
    const [draft] = await shop.drafts('quarter', '?include_next_period=false');
    expect(linesOf(draft)).toEqual([['requests', 0.54]]);
  });

  it('without auto_renew end with what the ending term owes', async () => {
    await customer('leaving', [feeAndUsage, { auto_renew: false }]);
    expect(linesOf((await shop.drafts('leaving'))[0])).toEqual([['requests', 0.54]]);
    await customer('left', [feeOnly, { auto_renew: false }]);
    expect(await shop.drafts('left')).toEqual([]);
  });

  it('there is none for a customer that owes nothing', async () => {
    await shop.customer('nobody-yet');
    expect(await shop.drafts('nobody-yet')).toEqual([]);
  });

  it('a customer that does not exist is not found, of another tenant neither', async () => {
    const { body } = await app.request.get('/api/customers/unknown/draft_invoice/').expect(404);
    expect(body.title).toBe('not_found');
    const other = await anotherTenant(app);
    await other.request.get('/api/customers/shape/draft_invoice/').expect(404);
  });

  it('include_next_period is true or false', async () => {
    const { body } = await app.request
      .get('/api/customers/shape/draft_invoice/?include_next_period=maybe')
      .expect(400);
    expect(body.validation_errors).toMatchObject([{ code: 'invalid', attr: 'include_next_period' }]);
  });

  it('one comes for each currency, and both come true', async () => {
    await customer('two-currencies', [feeAndUsage], [inEuro]);
    const drafts = await foretold('two-currencies');
    expect(drafts.map(linesOf)).toEqual([
      [['platform fee', 10.71]],
      [
        ['requests', 0.54],
        ['platform fee', 10.71],
      ],
    ]);
  });

  it('a renewal of a fee in advance comes true', async () => {
    await customer('only-fee', [feeOnly]);
    await foretold('only-fee');
  });

  it('subscriptions that share a boundary come true in the same order, to the cent of their taxes', async () => {
    const regions = ['a', 'b', 'c', 'd', 'e'].map((value) => [{ property_name: 'region', value }]);
    await customer(
      'shared',
      ...regions.map((filters): [string, object] => [feeAndUsage, { subscription_filters: filters }]),
      [usageOnly],
    );
    const [draft] = await foretold('shared');
    const amounts = draft!.line_items.map(({ amount }) => amount);
    expect(amounts.sort((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 0.54, 10.71, 10.71, 10.71, 10.72, 10.72]);
  });

  it('of several boundaries the next one comes, and comes true', async () => {
    await customer('staggered', [feeOnly]);
    await app.advance(new Date(Date.parse(await now()) + 5 * 86_400_000).toISOString());
    await shop.subscribe('staggered', feeAndUsage, await today());
    const [first] = await foretold('staggered');
    expect(linesOf(first!)).toEqual([['platform fee', 10.71]]);
    const [second] = await foretold('staggered');
    expect(linesOf(second!)).toEqual([
      ['requests', 0],
      ['platform fee', 10.71],
    ]);
  });

  it('windows inside a period come true one after the other', async () => {
    await customer('weekly', [weekly]);
    const [first] = await foretold('weekly');
    expect(linesOf(first!)).toEqual([['platform fee', 3.57]]);
    for (let week = 2; week <= 6; week += 1) await foretold('weekly');
  });

  it('a subscription that starts later comes true when it starts', async () => {
    const start = new Date(Date.parse(await now()) + 3 * 86_400_000).toISOString();
    await shop.customer('later');
    await shop.subscribe('later', feeOnly, start);
    const [draft] = await foretold('later');
    expect(draft!.issue_date.slice(0, 10)).toBe(start.slice(0, 10));
  });

  it('a boundary with nothing to bill does not hide the invoice after it', async () => {
    await shop.customer('quiet');
    await shop.subscribe('quiet', feeOnly, await today());
    const [alone] = await shop.drafts('quiet');
    await shop.subscribe('quiet', counted, await today());
    await shop.subscribe('quiet', countedByWeek, await today());
    const [draft] = await foretold('quiet');
    expect(draft!.issue_date).toBe(alone.issue_date);
    expect(linesOf(draft!).filter(([name]) => name === 'platform fee')).toEqual([['platform fee', 10.71]]);
    expect(linesOf(draft!)).toHaveLength(3);
  });

  it('a boundary whose grace is passed over leaves no line and no date on the invoice after it', async () => {
    await shop.customer('unused');
    const { end_date: end } = await shop.subscribe('unused', usageOnly, await today());
    const at = new Date(Date.parse(end) + 600_000).toISOString();
    await app.advance(at);
    await shop.use({ customer: 'unused', at, properties: { bytes: 600 } });
    const [draft] = await foretold('unused');
    expect(linesOf(draft!)).toEqual([['requests', 0.54]]);
  });

  it('a run that the account has planned bills a voided invoice again, as the draft and previews show', async () => {
    await shop.customer('planned');
    const { subscription_id: id } = await shop.subscribe('planned', weeklyFee, await today());
    const [issued] = await shop.invoices('?customer_id=planned');
    await app.request.post(`/api/invoices/${issued.invoice_id}/void/`).send({}).expect(200);
    const toBill = { switch_plan_id: inArrears, invoicing_behavior: 'add_to_next_invoice' };
    const path = `/api/subscriptions/${id}/switch_plan/`;
    const { body: preview } = await app.request.post(`${path}?preview=true`).send(toBill).expect(200);
    await app.request.post(path).send(toBill).expect(200);
    const [draft] = await foretold('planned');
    expect(preview.invoices.map(withoutIdentity)).toEqual([withoutIdentity(draft!)]);
    expect(linesOf(draft!)).toEqual([['platform fee', 7.51]]);
  });

  it('between a boundary and the end of its grace the closing invoice is foretold', async () => {
    await customer('graced', [feeAndUsage]);
    const [before] = await shop.drafts('graced');
    await app.advance(before.issue_date.replace('T00:30', 'T00:10'));
    const [draft] = await foretold('graced');
    expect(withoutIdentity(draft!)).toEqual(withoutIdentity(before));
  });

  it('usage of a voided invoice comes true with the notes of its count, as the preview of the void shows it', async () => {
    await customer('again', [feeAndUsage]);
    await shop.use({ customer: 'again', at: await now(), properties: { bytes: 'many' } });
    await foretold('again');
    const [issued] = await shop.invoices('?customer_id=again');
    const path = `/api/invoices/${issued.invoice_id}/void/`;
    const preview = await app.request.post(`${path}?preview=true`).send({}).expect(200);
    const notes = ({ line_items: lines }: Shown) => lines.map(({ metadata }) => metadata);
    await app.request.post(path).send({}).expect(200);
    const [draft] = await foretold('again');
    expect(notes(draft!)).toContainEqual({ absent_values: 1 });
    expect(notes(preview.body.invoices[0])).toEqual(notes(draft!));
  });

  it('and everything billed on the way is computed again the same', async () => {
    expect(await verifyAll(app)).toBeGreaterThan(30);
  });
});
