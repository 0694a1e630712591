import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { cents, total } from '../support/calculation.js';
import { recount } from '../support/recount.js';
import { shopOf, type Shop } from '../support/shop.js';

interface Explained {
  readonly line: number;
  readonly subtotal: number;
  readonly adjustments: readonly {
    readonly rule: string;
    readonly figure: string;
    readonly amount: number;
    readonly allocation: {
      readonly total: number;
      readonly base: number;
      readonly own_base: number;
      readonly lines: readonly number[];
    } | null;
  }[];
}

let app: TestApp;
let shop: Shop;

const invoiceOf = async (customer: string): Promise<string> =>
  (await shop.invoices(`?customer_id=${customer}`))[0].invoice_number;

const linesOf = async (customer: string): Promise<readonly Explained[]> =>
  (await app.request.get(`/api/invoices/${await invoiceOf(customer)}/explain/`).expect(200)).body.lines;

const taxesOf = async (customer: string) =>
  (await linesOf(customer)).map(({ adjustments }) => adjustments.find(({ rule }) => rule === 'tax_rate'));

const feesOf = (...amounts: number[]) => ({
  recurring_charges: amounts.map((amount, index) => aChargeBody({ name: `Fee ${index + 1}`, amount })),
});

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  await app.request.patch('/api/organization/').send({ tax_rate: 16 }).expect(200);
  for (const [customer, amounts] of [
    ['many', [3.47, 3.47, 3.47]],
    ['one', [3.47]],
  ] as const) {
    await shop.customer(customer);
    await shop.subscribe(customer, await shop.plan(customer, feesOf(...amounts)), '2026-01-01');
  }
  await shop.customer('exempt', { tax_rate: 0 });
  await shop.subscribe('exempt', await shop.plan('exempt', feesOf(3.47)), '2026-01-01');
});
afterAll(() => app.stop());

describe('the tax of a line is its share of the tax of all lines of the rate (docs/billing.md#tax)', () => {
  it('is explained with the sum of the bases, its rounded tax, and the base of the line', async () => {
    const allocation = { total: 1.67, base: 10.41, own_base: 3.47, lines: [1, 2, 3] };
    expect(await taxesOf('many')).toMatchObject([
      { amount: 0.56, figure: '16', allocation },
      { amount: 0.56, figure: '16', allocation },
      { amount: 0.55, figure: '16', allocation },
    ]);
  });

  it('has a total that the percent of the base is rounded to, and that the lines sum to', async () => {
    const lines = await linesOf('many');
    const taxes = await taxesOf('many');
    const { base, total: tax } = taxes[0]!.allocation!;
    expect(total(lines.map(({ subtotal }) => subtotal))).toBeCloseTo(base, 6);
    expect(cents(String((base * 16) / 100))).toBe(Math.round(tax * 100));
    expect(total(taxes.map((one) => one!.amount))).toBeCloseTo(tax, 6);
  });

  it('is all of the tax where no other line has the rate', async () => {
    expect(await taxesOf('one')).toMatchObject([
      { amount: 0.56, allocation: { total: 0.56, base: 3.47, own_base: 3.47, lines: [1] } },
    ]);
    expect(await taxesOf('exempt')).toEqual([undefined]);
  });

  it('is printed by recount explain where several lines share it', async () => {
    const { lines } = await recount(app, 'explain', await invoiceOf('many'));
    const share = '    its share of 1.67 USD, by 3.47 USD of 10.41 USD on lines 1, 2, 3';
    expect(lines.filter((line) => line === share)).toHaveLength(3);
    const alone = await recount(app, 'explain', await invoiceOf('one'));
    expect(alone.lines.filter((line) => line.includes('its share'))).toEqual([]);
  });
});
