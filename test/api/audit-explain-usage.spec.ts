import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { sumOf, type Calculation } from '../support/calculation.js';
import { recount } from '../support/recount.js';
import { shopOf, times, type Shop } from '../support/shop.js';

let app: TestApp;
let shop: Shop;

const perUnit = (cost: number, bounds: object = { range_start: 0 }) => ({
  type: 'per_unit',
  cost_per_batch: cost,
  metric_units_per_batch: 1,
  ...bounds,
});
/** Ten units cost 10.00, eleven 5.50. */
const volume = {
  bulk_pricing_enabled: true,
  tiers: [perUnit(1, { range_start: 0, range_end: 10 }), perUnit(0.5, { range_start: 10 })],
};
const prepaid = (units: number) => ({ prepaid_charge: { units, charge_behavior: 'full' } });

/** Customers by name, each with its component and the units that it uses. */
const CASES = {
  below: { used: 5, component: { tiers: [perUnit(1)], ...prepaid(20) } },
  above: { used: 33, component: { tiers: [perUnit(1)], ...prepaid(20) } },
  unused: { used: 0, component: { tiers: [perUnit(1)], ...prepaid(20) } },
  cheaper: { used: 11, component: { ...volume, ...prepaid(10) } },
  dearer: { used: 10, component: { ...volume, ...prepaid(11) } },
} as const;
type Case = keyof typeof CASES;
const names = Object.keys(CASES) as Case[];

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  const metric_id = await shop.metric();
  for (const name of names) {
    const { used, component } = CASES[name];
    const components = [{ metric_id, ...component }];
    const fee = aChargeBody({ charge_behavior: 'full' });
    const plan = await shop.plan(name, { recurring_charges: [fee], components });
    await shop.customer(name);
    await shop.subscribe(name, plan, '2026-01-01');
    if (used > 0)
      await shop.use(...times(used, '2026-01-01T00:00:00Z').map((event) => ({ ...event, customer: name })));
  }
  await app.advance('2026-02-02T00:00:00Z');
});
afterAll(() => app.stop());

async function usageOf(
  customer: Case,
): Promise<{ invoice: string; calculation: Calculation; usage: object }> {
  const [{ invoice_number: invoice }] = await shop.invoices(`?customer_id=${customer}`);
  const { body } = await app.request.get(`/api/invoices/${invoice}/explain/`).expect(200);
  return { invoice, ...body.lines.find(({ rule }: { rule: string }) => rule === 'usage') };
}

const told = async (customer: Case) => {
  const { exact, steps } = (await usageOf(customer)).calculation;
  return {
    exact,
    steps: steps.map(({ units, prepaid_units: of, amount }) => [units, of, amount]),
  };
};

describe('prepaid units cover what was used, and nothing beyond it (docs/billing.md#prepaid-units)', () => {
  it('takes off no more than the price of the usage', async () => {
    expect(await told('below')).toEqual({
      exact: '0',
      steps: [
        ['5', null, '5'],
        ['5', '20', '-5'],
      ],
    });
    expect(await told('unused')).toEqual({
      exact: '0',
      steps: [
        ['0', null, '0'],
        ['0', '20', '0'],
      ],
    });
  });

  it('takes off the price of all prepaid units where more was used', async () => {
    expect(await told('above')).toEqual({
      exact: '13',
      steps: [
        ['33', null, '33'],
        ['20', '20', '-20'],
      ],
    });
  });

  it('compares prices and not units: bulk pricing can make more units cheaper', async () => {
    expect(await told('cheaper')).toEqual({
      exact: '0',
      steps: [
        ['11', null, '5.5'],
        ['11', '10', '-5.5'],
      ],
    });
    expect(await told('dearer')).toEqual({
      exact: '4.5',
      steps: [
        ['10', null, '10'],
        ['11', '11', '-5.5'],
      ],
    });
  });

  it.each(names)(
    'has steps that sum to what is owed, each with tiers that sum to its price: %s',
    async (name) => {
      const { exact, steps } = (await usageOf(name)).calculation;
      expect(sumOf(steps)).toBe(exact);
      for (const { tiers, price } of steps) expect(sumOf(tiers)).toBe(price);
    },
  );

  it('is printed by recount explain', async () => {
    const { lines } = await recount(app, 'explain', (await usageOf('below')).invoice);
    expect(lines.join('\n')).toContain(
      'usage paid by prepaid units: -5.00 USD, the price of 5 units (20 prepaid)',
    );
  });
});

describe('usage and full charges are not prorated (docs/billing.md#proration)', () => {
  let invoice: string;
  let lines: readonly {
    readonly rule: string;
    readonly fraction: string;
    readonly calculation: Calculation;
  }[];

  beforeAll(async () => {
    const metric_id = await shop.metric({ metric_name: 'calls', event_name: 'call' });
    const plan = await shop.plan('Cut', {
      day_anchor: 1,
      recurring_charges: ['prorate', 'full'].map((behavior) =>
        aChargeBody({ name: behavior, charge_behavior: behavior, charge_timing: 'in_arrears' }),
      ),
      components: [{ metric_id, tiers: [perUnit(1)] }],
    });
    await shop.customer('cut');
    await shop.subscribe('cut', plan, '2026-02-08');
    await app.advance('2026-02-10T00:00:00Z');
    await shop.use({ customer: 'cut', name: 'call', at: '2026-02-08T00:00:00Z' });
    await app.advance('2026-03-02T00:00:00Z');
    [{ invoice_number: invoice }] = await shop.invoices('?customer_id=cut');
    ({ lines } = (await app.request.get(`/api/invoices/${invoice}/explain/`).expect(200)).body);
  });

  it('says of each step whether its price is prorated', () => {
    const steps = lines.flatMap(({ rule, calculation }) =>
      calculation.steps.map(({ prorated, fraction }) => [rule, prorated, fraction]),
    );
    expect(steps).toEqual([
      ['recurring_charge', true, '0.75'],
      ['recurring_charge', false, '1'],
      ['usage', false, '1'],
    ]);
    expect(lines.map(({ fraction }) => fraction)).toEqual(['3/4', '1/1', '1/1']);
  });

  it('is printed by recount explain with a fraction for what is prorated alone', async () => {
    const printed = (await recount(app, 'explain', invoice)).lines.map((line) => line.trim());
    expect(printed.filter((line) => line.startsWith('fraction '))).toEqual([
      'fraction 3/4 of 2026-02-01T00:00:00Z to 2026-03-01T00:00:00Z',
    ]);
    expect(printed).toEqual(
      expect.arrayContaining([
        'recurring charge: 30.00 USD × 0.75 = 22.50 USD',
        'recurring charge: 30.00 USD, not prorated',
        'usage: 1.00 USD, not prorated',
      ]),
    );
  });
});

describe('an average is the sum of the values by their number (docs/billing.md#counters)', () => {
  let invoice: string;

  beforeAll(async () => {
    const metric_id = await shop.metric({
      metric_name: 'latency',
      event_name: 'reply',
      aggregation_type: 'average',
      property_name: 'ms',
    });
    const components = [{ metric_id, tiers: [perUnit(1)] }];
    const plan = await shop.plan('Average', { recurring_charges: [], components });
    await shop.customer('averaged');
    await shop.subscribe('averaged', plan, '2026-03-02');
    const events = [{ ms: 0.1 }, { ms: 0.3 }, { ms: 1.6 }, { ms: 'none' }].map((properties) => ({
      ...{ customer: 'averaged', name: 'reply', at: '2026-03-02T00:00:00Z' },
      properties,
    }));
    await shop.use(...events);
    await app.advance('2026-04-03T00:00:00Z');
    [{ invoice_number: invoice }] = await shop.invoices('?customer_id=averaged');
  });

  it('is explained with both', async () => {
    const { body } = await app.request.get(`/api/invoices/${invoice}/explain/`).expect(200);
    expect(body.lines[0].usage).toMatchObject({
      quantity: '2/3',
      event_count: 4,
      absent_values: 1,
      average: { sum: '2', values: 3 },
    });
    expect((await usageOf('above')).usage).toMatchObject({ average: null });
  });

  it('is printed by recount explain', async () => {
    const { lines } = await recount(app, 'explain', invoice);
    expect(lines).toContain('  2/3 counted from 4 events, on average: 2 ÷ 3');
  });
});
