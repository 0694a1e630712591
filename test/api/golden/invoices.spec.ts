import { afterAll, beforeAll, expect } from '@jest/globals';
import request from 'supertest';
import { anotherTenant } from '../../support/another-tenant.js';
import { fieldErrorsOf } from '../../support/answers.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aChargeBody } from '../../support/builders/catalog-bodies.js';
import { shopOf, times, type Shop } from '../../support/shop.js';
import { verifyAll } from '../../support/verify-all.js';
import { golden } from './golden.js';

interface Shown {
  readonly invoice_id: string;
  readonly invoice_number: string;
  readonly amount: number;
  readonly line_items: readonly { name: string; amount: number; start_date: string; end_date: string }[];
}

let app: TestApp;
let shop: Shop;
/** Tenant of the case about drafts, because the other cases count the invoices of all customers. */
let drafting: TestApp;
let unpaid: Shown;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  await shop.customer('c1');
  await shop.customer('c2');
  await shop.subscribe('c1', await shop.plan('P'), '2026-01-01');
  [unpaid] = await shop.invoices();
  drafting = { ...app, ...(await anotherTenant(app)) };
  const { metric, plan, customer, subscribe, use } = shopOf(drafting);
  const perUnit = { type: 'per_unit', range_start: 0, cost_per_batch: 1, metric_units_per_batch: 1 };
  const planId = await plan('fee and use', {
    recurring_charges: [aChargeBody({ amount: 31 })],
    components: [{ metric_id: await metric(), tiers: [perUnit] }],
  });
  await customer('c1');
  await subscribe('c1', planId, '2026-01-01');
  await use(...times(5, '2026-01-02T00:00:00Z').map((event) => ({ ...event, customer: 'c1' })));
  await app.advance('2026-01-03T12:00:00Z');
});
afterAll(async () => {
  expect([await verifyAll(app), await verifyAll(drafting)]).toEqual([1, 1]);
  await app.stop();
});

golden('invoices-by-status', async ({ expect: wanted }) => {
  const [draft] = await shop.drafts('c1');
  expect(draft).toMatchObject({ payment_status: 'draft' });
  const lists: Shown[][] = [];
  for (const query of ['unpaid', 'paid', 'unpaid&payment_status=paid']) {
    lists.push(await shop.invoices(`?payment_status=${query}`));
  }
  expect(lists.map((list) => list.length)).toEqual(wanted?.['counts']);
  expect(lists).toEqual([[unpaid], [], [unpaid]]);
});

golden('invoices-status-name', async ({ expect: wanted }) => {
  const list = await shop.invoices('?status=unpaid');
  expect({ count: list.length }).toEqual(wanted);
  expect(list).toMatchObject([{ invoice_number: '260101-000001', payment_status: 'unpaid' }]);
});

golden('invoices-no-filter', async ({ expect: wanted }) => {
  expect({ count: (await shop.invoices()).length }).toEqual(wanted);
});

golden('invoices-bad-status', async ({ expect: wanted }) => {
  const draft = await app.request.get('/api/invoices/?payment_status=draft');
  expect(draft.body).toMatchObject({ ...wanted, title: 'invalid_choice' });
  expect(fieldErrorsOf(draft.body)).toEqual({ payment_status: 'invalid_choice' });
  const nobody = await app.request.get('/api/invoices/?customer_id=nope');
  expect(nobody.body).toMatchObject({ ...wanted, title: 'does_not_exist' });
  expect(fieldErrorsOf(nobody.body)).toEqual({ customer_id: 'does_not_exist' });
});

golden('invoices-pdf', async ({ expect: wanted }) => {
  for (const name of [unpaid.invoice_id, unpaid.invoice_number]) {
    const { status, body } = await app.request.get(`/api/invoices/${name}/pdf_url/`);
    expect({ status }).toEqual(wanted);
    expect(body).toMatchObject({ ...unpaid, invoice_pdf: expect.stringContaining(unpaid.invoice_id) });
    const link = (body.invoice_pdf as string).replace(app.url, '');
    await request(app.url).get(link).expect(200).expect('Content-Type', 'application/pdf');
  }
});

golden('draft-next-period', async ({ expect: wanted }) => {
  const drafts = async (query = ''): Promise<Shown[]> => shopOf(drafting).drafts('c1', query);
  for (const query of ['', '?include_next_period=true']) {
    const [draft, ...more] = await drafts(query);
    expect(more).toEqual([]);
    expect(draft!.amount.toFixed(2)).toBe(wanted?.['with_next']);
    expect(draft!.line_items).toHaveLength(2);
    expect(draft!.line_items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'requests', amount: 5 }),
        expect.objectContaining({
          name: 'platform fee',
          amount: 31,
          start_date: '2026-02-01T00:00:00Z',
          end_date: '2026-02-28T23:59:59.999999Z',
        }),
      ]),
    );
  }
  const [draft] = await drafts('?include_next_period=false');
  expect(draft!.amount.toFixed(2)).toBe(wanted?.['without']);
  expect(draft!.line_items).toMatchObject([{ name: 'requests', amount: 5 }]);
});
