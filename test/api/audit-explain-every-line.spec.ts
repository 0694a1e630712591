import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { cents, product, sumOf, total, type Calculation, type Totals } from '../support/calculation.js';
import { aChargeBody, aComponentBody, anAddonBody } from '../support/builders/catalog-bodies.js';
import { shopOf, times, type Shop } from '../support/shop.js';

interface Explained {
  readonly calculation: Calculation | null;
  readonly name: string;
  readonly rule: string;
  readonly fraction: string;
  readonly base: number;
  readonly amount: number;
  readonly inputs: { readonly plan_version_id: string | null; readonly tax_rate: string | null };
  readonly adjustments: readonly {
    readonly adjustment_type: string;
    readonly rule: string;
    readonly figure: string;
    readonly amount: number;
  }[];
  readonly reverses: readonly {
    readonly invoice_id: string;
    readonly invoice_number: string;
    readonly line: number | null;
    readonly amount: number;
  }[];
  readonly credits: readonly { readonly credit_id: string; readonly amount: number }[];
  readonly settings: readonly {
    readonly source: string;
    readonly setting: string;
    readonly value: unknown;
    readonly event: {
      readonly type: string;
      readonly actor_name: string | null;
      readonly request_id: string;
    };
  }[];
}

let app: TestApp;
let shop: Shop;
let lines: readonly Explained[];
const byInvoice = new Map<string, readonly Explained[]>();
const totals = new Map<string, Totals>();

const post = async (path: string, body: object) => (await app.request.post(path).send(body)).body;
const payAll = async () => {
  for (const { invoice_id: id, payment_status: status } of await shop.invoices('?limit=1000')) {
    if (status === 'unpaid')
      await app.request.patch(`/api/invoices/${id}/`).send({ payment_status: 'paid' }).expect(200);
  }
};
const adjusted = (type: string, amount: number) => ({
  price_adjustment: {
    price_adjustment_name: type,
    price_adjustment_type: type,
    price_adjustment_amount: amount,
  },
});
const perUnit = (cost: number) => [
  { type: 'per_unit', range_start: 0, cost_per_batch: cost, metric_units_per_batch: 1 },
];
const volume = {
  bulk_pricing_enabled: true,
  tiers: [
    { type: 'per_unit', range_start: 0, range_end: 5, cost_per_batch: 2, metric_units_per_batch: 1 },
    { type: 'per_unit', range_start: 5, cost_per_batch: 0.5, metric_units_per_batch: 1 },
  ],
};

/** Creates customers whose invoices have a line of every kind. */
async function sellEverything(): Promise<void> {
  await app.request.patch('/api/organization/').send({ tax_rate: 19 }).expect(200);
  const metric = await shop.metric();
  const weekly = { invoicing_interval_unit: 'week', invoicing_interval_count: 1 };
  const fee = aChargeBody({ name: 'Fee', amount: 31 });
  const setup = aChargeBody({ name: 'Setup', amount: 9, charge_behavior: 'full' });
  const arrears = aChargeBody({ name: 'Support', amount: 7, charge_timing: 'in_arrears' });
  const usage = aComponentBody(metric, { ...volume, ...weekly });
  const plans = {
    percentage: await shop.plan('A', {
      recurring_charges: [fee, setup, arrears],
      components: [usage],
      ...adjusted('percentage', -10),
    }),
    fixed: await shop.plan('B', {
      recurring_charges: [{ ...fee, amount: 60 }],
      components: [aComponentBody(metric, { tiers: perUnit(1) })],
      ...adjusted('fixed', -5),
    }),
    prepaid: await shop.plan('C', {
      recurring_charges: [],
      components: [
        aComponentBody(metric, {
          tiers: perUnit(1),
          prepaid_charge: { units: 20, charge_behavior: 'prorate' },
        }),
      ],
    }),
  };
  const addon = await post('/api/addons/', anAddonBody('Extra'));
  for (const name of ['acme', 'switcher', 'prepayer', 'debtor']) await shop.customer(name);
  await app.request.patch('/api/customers/switcher/').send({ tax_rate: 7 }).expect(200);
  const { subscription_id: acme } = await shop.subscribe('acme', plans.percentage, '2026-01-01');
  const { subscription_id: switcher } = await shop.subscribe('switcher', plans.percentage, '2026-01-01');
  const { subscription_id: prepayer } = await shop.subscribe('prepayer', plans.prepaid, '2026-01-01');
  const { subscription_id: debtor } = await shop.subscribe('debtor', plans.percentage, '2026-01-01');
  await post(`/api/subscriptions/${acme}/addons/attach/`, { addon_id: addon.addon_id, quantity: 2 });
  await post('/api/credits/', { customer_id: 'acme', amount: 20, currency_code: 'USD' });
  await post('/api/credits/', {
    customer_id: 'acme',
    amount: 5,
    currency_code: 'USD',
    amount_paid: 4,
    amount_paid_currency_code: 'USD',
  });
  const used = (customer: string, count: number, at: string) =>
    times(count, at).map((event) => ({ ...event, customer }));
  await shop.use(...used('acme', 4, '2026-01-01T00:00:00Z'), ...used('switcher', 4, '2026-01-01T00:00:00Z'));
  await shop.use(...used('prepayer', 30, '2026-01-01T00:00:00Z'));
  await app.advance('2026-01-08T12:00:00Z');
  // The volume price credits back a part of the amount that was charged for the week.
  await shop.use(...used('acme', 3, '2026-01-08T11:00:00Z'));
  await app.advance('2026-01-16T00:00:00Z');
  const customers = ['acme', 'switcher', 'prepayer'];
  for (const customer of customers) await payOf(customer);
  await post(`/api/subscriptions/${switcher}/switch_plan/`, { switch_plan_id: plans.fixed });
  await post(`/api/subscriptions/${prepayer}/components/${metric}/change_prepaid_units/`, { units: 30 });
  await post(`/api/subscriptions/${debtor}/cancel/`, { flat_fee_behavior: 'charge_prorated' });
  await app.advance('2026-01-20T00:00:00Z');
  await post(`/api/subscriptions/${prepayer}/components/${metric}/change_prepaid_units/`, { units: 5 });
  await app.advance('2026-02-02T00:00:00Z');
  await shop.use(...used('acme', 9, '2026-01-30T00:00:00Z'));
  await app.advance('2026-02-10T00:00:00Z');
  await payAll();
  await post(`/api/subscriptions/${acme}/cancel/`, { flat_fee_behavior: 'refund' });
  await app.advance('2026-03-05T00:00:00Z');
}

async function payOf(customer: string): Promise<void> {
  for (const { invoice_id: id } of await shop.invoices(`?customer_id=${customer}&status=unpaid`))
    await app.request.patch(`/api/invoices/${id}/`).send({ payment_status: 'paid' }).expect(200);
}

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  await sellEverything();
  for (const { invoice_id: id } of await shop.invoices('?limit=1000')) {
    const { body } = await app.request.get(`/api/invoices/${id}/explain/`).expect(200);
    byInvoice.set(id, body.lines);
    totals.set(id, body.totals);
  }
  lines = [...byInvoice.values()].flat();
});
afterAll(() => app.stop());

const of = (rule: string) => lines.filter((line) => line.rule === rule);

describe('every line of every invoice is explained', () => {
  it('over lines of every rule, and adjustments of every type', () => {
    expect(new Set(lines.map(({ rule }) => rule))).toEqual(
      new Set([
        'recurring_charge',
        'usage',
        'prepaid_units',
        'credit_drawdown',
        'credit_grant',
        'credit_purchase',
        'invoice_reduction',
      ]),
    );
    const rules = lines.flatMap(({ adjustments }) => adjustments.map(({ rule }) => rule));
    expect(new Set(rules)).toEqual(
      new Set(['percentage', 'fixed', 'tax_rate', 'credit_drawdown', 'credit_grant', 'invoice_reduction']),
    );
    expect(lines.filter(({ base }) => base < 0).length).toBeGreaterThan(5);
  });

  it('with whether one tier prices all units', () => {
    const steps = lines.flatMap(({ calculation }) => calculation?.steps ?? []);
    const isBulk = (tiers: number) =>
      new Set(steps.filter((step) => step.tiers.length === tiers).map((step) => step.bulk_pricing_enabled));
    // Only the plan with two tiers has bulk pricing; a fee has no tiers.
    expect([0, 1, 2].map(isBulk)).toEqual([new Set([false]), new Set([false]), new Set([true])]);
  });

  it('with its exact fraction', () => {
    expect(lines.filter(({ fraction }) => !/^\d+\/[1-9]\d*$/.test(fraction))).toEqual([]);
  });

  it('with the lines that it reverses, which sum to its base', () => {
    for (const { base, reverses, rule, amount } of lines) {
      const size = rule === 'invoice_reduction' ? amount : base < 0 ? -base : 0;
      expect(reverses.reduce((sum, one) => sum + one.amount, 0)).toBeCloseTo(size, 6);
      for (const one of reverses) {
        expect(one.invoice_number).toMatch(/^\d{6}-\d{6}$/);
        if (one.line === null) expect(rule).toBe('invoice_reduction');
        else expect(byInvoice.get(one.invoice_id)![one.line - 1]!.base).toBeGreaterThanOrEqual(one.amount);
      }
    }
  });

  it('with the rule and the figure of every adjustment', () => {
    const adjustments = lines.flatMap((line) => line.adjustments);
    expect(adjustments.filter(({ rule, figure }) => !rule || !/^-?\d+(\.\d+)?$/.test(figure))).toEqual([]);
    const figures = new Set(adjustments.flatMap(({ rule, figure }) => (rule === 'tax_rate' ? figure : [])));
    expect(figures).toEqual(new Set(['19', '7']));
    expect(
      adjustments.filter(({ rule }) => rule === 'percentage').every(({ figure }) => figure === '-10'),
    ).toBe(true);
  });

  it('with the credits that it draws, grants or is the price of', async () => {
    const known = new Set<string>();
    for (const customer of ['acme', 'switcher', 'prepayer', 'debtor']) {
      const { body } = await app.request.get(`/api/credits/?customer_id=${customer}`).expect(200);
      for (const { credit_id: id } of body) known.add(id);
    }
    for (const line of [...of('credit_drawdown'), ...of('credit_grant'), ...of('credit_purchase')]) {
      expect(line.credits.length).toBeGreaterThan(0);
      expect(line.credits.every(({ credit_id: id }) => known.has(id))).toBe(true);
      expect(line.credits.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(line.amount, 6);
    }
    expect(lines.filter(({ rule, credits }) => !rule.startsWith('credit_') && credits.length > 0)).toEqual(
      [],
    );
  });

  it('with the events that its settings come from', () => {
    for (const { settings, inputs } of lines) {
      const sources = settings.map(({ source, setting }) => `${source}.${setting}`);
      const ofTax = settings.filter(({ setting }) => setting === 'tax_rate').map(({ value }) => value);
      expect(ofTax).toEqual(inputs.plan_version_id === null ? [] : [inputs.tax_rate]);
      if (inputs.plan_version_id === null) continue;
      const types = settings.map(({ event }) => event.type);
      const ofRate = inputs.tax_rate === '7' ? 'CustomerDetailsChanged' : 'SettingsChanged';
      expect(types).toEqual(expect.arrayContaining([ofRate]));
      expect(sources).toEqual(
        expect.arrayContaining(['subscription.proration_basis', 'subscription.timezone']),
      );
      expect(types.some((type) => type === 'PlanVersionPublished' || type === 'AddonDefined')).toBe(true);
    }
  });

  it('with tiers that sum to the price, prices to what is owed, and what is owed to the lines', () => {
    const kinds = new Set<string>();
    for (const explained of byInvoice.values()) {
      const priced = explained.filter(({ inputs }) => inputs.plan_version_id !== null);
      for (const { calculation } of priced) {
        const {
          steps,
          exact,
          due,
          charged_before: before,
          charge_key: key,
          earlier_lines: earlier,
        } = calculation!;
        for (const step of steps) {
          kinds.add(`${step.unit_price === null ? 'tiers' : 'price'} ${step.rounded_up_to !== null}`);
          if (step.unit_price === null) expect(sumOf(step.tiers)).toBe(step.price);
          else expect(product(step.units, step.unit_price)).toBe(step.price);
          if (step.rounded_up_to === null && !step.amount.startsWith('-')) {
            expect(product(step.price, step.fraction)).toBe(step.amount);
          }
        }
        expect(sumOf(steps)).toBe(exact);
        expect(cents(exact)).toBe(Math.round(due * 100));
        expect(total(earlier.map(({ base }) => base))).toBeCloseTo(before, 6);
        const own = priced.filter((line) => line.calculation!.charge_key === key);
        expect(total(own.map(({ base }) => base))).toBeCloseTo(due - before, 6);
      }
    }
    expect([...kinds].sort()).toEqual(expect.arrayContaining(['price false', 'tiers false']));
    expect(lines.some(({ calculation }) => (calculation?.earlier_lines.length ?? 0) > 0)).toBe(true);
  });

  it('with lines that sum to the invoice', async () => {
    for (const [id, explained] of byInvoice) {
      const said = totals.get(id)!;
      const { body } = await app.request.get(`/api/invoices/${id}/`).expect(200);
      const adjustments = explained.flatMap((line) => line.adjustments.map(({ amount }) => amount));
      expect(total(explained.map(({ base }) => base))).toBeCloseTo(said.base, 6);
      expect(total(adjustments)).toBeCloseTo(said.adjustments, 6);
      expect(total(explained.map(({ amount }) => amount))).toBeCloseTo(said.amount, 6);
      expect(said.base + said.adjustments).toBeCloseTo(said.amount, 6);
      expect(body.amount).toBeCloseTo(said.amount, 6);
    }
  });

  it('with the name of the key that made each setting, and its request', () => {
    const makers = lines.flatMap(({ settings }) => settings.map(({ event }) => event));
    expect(makers.length).toBeGreaterThan(0);
    expect(new Set(makers.map(({ actor_name: name }) => name))).toEqual(
      new Set([app.keyName, 'the scheduler']),
    );
    expect(makers.every(({ request_id: id }) => id.length > 0)).toBe(true);
  });
});
