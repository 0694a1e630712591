import { describe, expect, it } from '@jest/globals';
import { modelsOf, type Model } from '../golden/cases.js';
import { Calculator } from './calculator.js';
import type {
  Charge,
  Component,
  History,
  Intervals,
  Invoice,
  Line,
  Metric,
  Plan,
  Step,
  Tier,
} from './history.js';
import { decimal, rational, rounded, times } from './rational.js';
import { rated } from './tiers.js';

interface Scenario extends Model {
  readonly kind: 'scenario';
  readonly org?: {
    readonly tax_rate?: string;
    readonly default_currency_code?: string;
    readonly proration_basis?: 'second' | 'day';
  };
  readonly customer?: { readonly tax_rate?: string; readonly timezone?: string };
  readonly metrics?: Readonly<Record<string, Partial<Metric>>>;
  readonly plans: Readonly<Record<string, Said>>;
  readonly steps: readonly GoldenStep[];
}

type Said = Partial<Omit<Plan, 'recurring_charges' | 'components'>> & {
  readonly currency_code?: string;
  readonly recurring_charges?: readonly Partial<Charge>[];
  readonly components?: readonly (Omit<Partial<Component>, 'tiers'> & {
    readonly tiers: readonly Partial<Tier>[];
  })[];
};

interface GoldenStep extends Readonly<Record<string, unknown>> {
  readonly at: string;
  readonly do: string;
  readonly expect?: Expected;
}

interface Expected {
  readonly status?: number;
  readonly invoice?: null | { readonly amount: string };
  readonly nonzero_net_lines?: readonly string[];
  readonly tax?: string;
  readonly amount?: string;
  readonly credit_granted?: string;
  readonly applied_credit?: string;
  readonly credit_left?: string;
}

const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, KWD: 3 };
const NO_INTERVALS: Intervals = {
  ...{ reset_interval_unit: null, reset_interval_count: null },
  ...{ invoicing_interval_unit: null, invoicing_interval_count: null },
};

const metricOf = (said: Partial<Metric>): Metric => ({
  ...{ metric_type: 'counter', aggregation_type: 'count', property_name: null },
  ...{ granularity: null, event_type: null, proration: null, ...said },
});

const tierOf = (said: Partial<Tier>): Tier => ({
  ...{ type: 'free', range_start: '0', range_end: null, cost_per_batch: null },
  ...{ metric_units_per_batch: null, batch_rounding_type: null, ...said },
});

const planOf = ({ recurring_charges = [], components = [], ...said }: Said): Plan => ({
  ...{ plan_duration: null, day_anchor: null, month_anchor: null, price_adjustment: null, ...said },
  recurring_charges: recurring_charges.map((charge, n): Charge => ({
    ...NO_INTERVALS,
    ...{
      name: `charge ${n}`,
      amount: '0',
      charge_timing: 'in_advance',
      charge_behavior: 'prorate',
      ...charge,
    },
  })),
  components: components.map((component): Component => ({
    ...NO_INTERVALS,
    ...{ metric: '', bulk_pricing_enabled: false, prepaid_charge: null, ...component },
    tiers: component.tiers.map(tierOf),
  })),
});

/** A step of a golden case, about the newest subscription; undefined where the calculator does not know it. */
function stepOf({ expect: _, ...step }: GoldenStep, subscription: string): Step | undefined {
  const said = step as Readonly<Record<string, string>> & { readonly invoice_now?: unknown };
  const { at, plan = '', metric = '' } = said;
  switch (step.do) {
    case 'subscribe':
      return {
        at: at!,
        do: 'subscribe',
        subscription,
        plan,
        start_date: at!,
        end_date: null,
        auto_renew: true,
      };
    case 'cancel': {
      const flat = (said['flat_fee_behavior'] ?? null) as 'refund' | null;
      const others = { usage_behavior: 'bill_full', invoicing_behavior: 'invoice_now' } as const;
      return { at: at!, do: 'cancel', subscription, flat_fee_behavior: flat, ...others };
    }
    case 'switch': {
      const usage = (said['usage_behavior'] ?? 'transfer_to_new_subscription') as 'keep_separate';
      const invoicing = (said['invoicing_behavior'] ?? 'invoice_now') as 'invoice_now';
      const behaviors = { usage_behavior: usage, invoicing_behavior: invoicing };
      return { at: at!, do: 'switch', subscription, plan: said['to']!, ...behaviors };
    }
    case 'update':
      return { at: at!, do: 'update', subscription, turn_off_auto_renew: true, end_date: null };
    case 'change_prepaid_units': {
      const isNow = said.invoice_now !== false;
      return {
        at: at!,
        do: 'change_units',
        subscription,
        metric,
        units: String(said['units']),
        invoice_now: isNow,
      };
    }
    case 'track':
      return { at: at!, do: 'track', metric, time: said['time'] ?? at!, value: said['n'] ?? null };
    case 'create_credit': {
      if (Number(said['amount_paid'] ?? 0) > 0) return undefined;
      return { at: at!, do: 'credit', amount: said['amount']!, expires_at: said['expires_at'] ?? null };
    }
    case 'pay_open_invoices':
      return { at: at!, do: 'pay' };
    case 'advance_clock':
      return { at: at!, do: 'advance' };
    default:
      return undefined;
  }
}

function historyOf({ org, customer, metrics = {}, plans, steps }: Scenario): History | undefined {
  const code = Object.values(plans)[0]?.currency_code ?? org?.default_currency_code ?? 'USD';
  let subscribed = 0;
  const known = steps.map((step) =>
    stepOf(step, `S${step.do === 'subscribe' ? (subscribed += 1) : subscribed}`),
  );
  if (known.includes(undefined) || steps.some((step) => step.expect?.status === 400)) return undefined;
  const entries = <A, B>(all: Readonly<Record<string, A>>, map: (one: A) => B) =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, map(one)]));
  return {
    organization: {
      ...{ tax_rate: org?.tax_rate ?? null, proration_basis: org?.proration_basis ?? 'second' },
      late_event_grace_minutes: 30,
    },
    customer: { tax_rate: customer?.tax_rate ?? null, timezone: customer?.timezone ?? 'UTC' },
    currency: { code, decimals: DECIMALS[code] ?? 2 },
    ...{ metrics: entries(metrics, metricOf), plans: entries(plans, planOf), addons: {} },
    steps: known as Step[],
  };
}

const total = (lines: readonly Line[], of: (line: Line) => bigint): bigint =>
  lines.reduce((sum, line) => sum + of(line), 0n);
const inOrder = (amounts: readonly bigint[]) => amounts.toSorted((a, b) => (a < b ? -1 : Number(a > b)));

function expectStep(expected: Expected, issued: readonly Invoice[], left: bigint, decimals: number): void {
  const minor = (said: string) => rounded(times(decimal(said), rational(10n ** BigInt(decimals))));
  if (expected.invoice === null) return expect(issued).toEqual([]);
  const { nonzero_net_lines: net, tax, amount, credit_granted: granted } = expected;
  const lines = issued.flatMap((invoice) => invoice.lines);
  const charged = lines.filter(({ quantity }) => quantity !== null);
  const nets = charged.map(({ base, plan_adjustment }) => base + plan_adjustment).filter((one) => one !== 0n);
  if (net) expect(inOrder(nets)).toEqual(inOrder(net.map(minor)));
  if (tax) expect(total(lines, ({ sales_tax }) => sales_tax)).toBe(minor(tax));
  if (amount) expect(issued.map((invoice) => invoice.amount)).toEqual([minor(amount)]);
  if (granted)
    expect(total(lines, (line) => (line.name === 'Granted Credit' ? line.credit : 0n))).toBe(minor(granted));
  if (expected.credit_left) expect(left).toBe(minor(expected.credit_left));
}

const scenarios = modelsOf<Scenario>('scenario').flatMap(({ id, model }) => {
  const history = historyOf(model);
  return history ? [{ id, model, history }] : [];
});

describe('golden cases, by the calculator', () => {
  it.each(scenarios)('$id', ({ model, history }) => {
    const calculator = new Calculator(history);
    history.steps.forEach((step, place) => {
      const before = calculator.invoices.length;
      calculator.take(step);
      const expected = model.steps[place]!.expect;
      if (!expected) return;
      expectStep(
        expected,
        calculator.invoices.slice(before),
        calculator.creditLeft,
        history.currency.decimals,
      );
    });
  });

  it('as many of them as it knows', () => {
    expect(scenarios.length).toBeGreaterThan(60);
  });

  interface Tiers extends Model {
    readonly bulk_pricing_enabled: boolean;
    readonly tiers?: readonly Tier[];
    readonly either_tiers?: readonly (readonly Tier[])[];
    readonly points: readonly (readonly [string, string])[];
  }

  it.each(modelsOf<Tiers>('rate'))('$id', ({ model }) => {
    const cents = (exact: ReturnType<typeof decimal>) => rounded(times(exact, rational(100n)));
    for (const tiers of model.either_tiers ?? [model.tiers!]) {
      const costs = model.points.map(([quantity]) =>
        cents(rated(tiers.map(tierOf), model.bulk_pricing_enabled, decimal(quantity))),
      );
      expect(costs).toEqual(model.points.map(([, amount]) => cents(decimal(amount))));
    }
  });
});
