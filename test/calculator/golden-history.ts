import type { Model } from '../golden/cases.js';
import type {
  Addon,
  CancelBody,
  Charge,
  Component,
  History,
  Intervals,
  Metric,
  Plan,
  Step,
  Tier,
} from './history.js';

/** A worked case: plans and steps in chronological order. Omitted fields have the contract's defaults. */
export interface GoldenScenario<Expected> extends Model {
  readonly kind: 'scenario';
  readonly org?: {
    readonly tax_rate?: string;
    readonly default_currency_code?: string;
    readonly proration_basis?: 'second' | 'day';
  };
  readonly customer?: { readonly tax_rate?: string; readonly timezone?: string };
  readonly metrics?: Readonly<Record<string, Partial<Metric>>>;
  readonly plans: Readonly<Record<string, PartialPlan>>;
  readonly addons?: Readonly<Record<string, PartialAddon>>;
  readonly steps: readonly GoldenStep<Expected>[];
}

export type PartialTier = Pick<Tier, 'type' | 'range_start'> & Partial<Tier>;

interface PartialPrices {
  readonly recurring_charges?: readonly Partial<Charge>[];
  readonly components?: readonly (Omit<Partial<Component>, 'tiers'> & {
    readonly tiers: readonly PartialTier[];
  })[];
}
type PartialPlan = PartialPrices &
  Partial<Omit<Plan, keyof PartialPrices>> & { readonly currency_code?: string };
type PartialAddon = PartialPrices & Partial<Omit<Addon, keyof PartialPrices>>;

/** A step. It applies to the newest subscription. */
export interface GoldenStep<Expected> {
  readonly at: string;
  readonly do: string;
  readonly plan?: string;
  readonly metric?: string;
  readonly n?: string;
  /** Timestamp of the event. Default: `at`. */
  readonly time?: string;
  readonly addon?: string;
  readonly quantity?: string;
  /** Name of a credit for other steps. */
  readonly name?: string;
  readonly amount?: string;
  readonly expires_at?: string | null;
  readonly amount_paid?: string;
  readonly units?: string;
  /** Number of the invoice to void, counted from 1 over all invoices. */
  readonly invoice?: string;
  readonly rebill?: boolean;
  readonly invoice_now?: boolean;
  readonly version?: string;
  readonly replace_with?: string;
  readonly flat_fee_behavior?: CancelBody['flat_fee_behavior'];
  readonly turn_off_auto_renew?: boolean;
  readonly end_date?: string;
  readonly proration_basis?: 'second' | 'day';
  readonly timezone?: string;
  /** Plan to switch to. */
  readonly to?: string;
  readonly invoicing_behavior?: CancelBody['invoicing_behavior'];
  readonly usage_behavior?: SwitchStep['usage_behavior'] | CancelBody['usage_behavior'];
  readonly expect?: Expected;
}
type SwitchStep = Extract<Step, { readonly do: 'switch' }>;

const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, KWD: 3 };
const NO_INTERVALS: Intervals = {
  reset_interval_unit: null,
  reset_interval_count: null,
  invoicing_interval_unit: null,
  invoicing_interval_count: null,
};

const metricOf = (fields: Partial<Metric>): Metric => ({
  metric_type: 'counter',
  aggregation_type: 'count',
  property_name: null,
  granularity: null,
  event_type: null,
  proration: null,
  numeric_filters: [],
  categorical_filters: [],
  ...fields,
});

/** Completes a tier with the fields that a case omits. */
export const tierOf = (fields: PartialTier): Tier => ({
  range_end: null,
  cost_per_batch: null,
  metric_units_per_batch: null,
  batch_rounding_type: null,
  ...fields,
});

const pricesOf = ({ recurring_charges = [], components = [] }: PartialPrices) => ({
  recurring_charges: recurring_charges.map((charge, n): Charge => ({
    ...NO_INTERVALS,
    name: `charge ${n}`,
    amount: '0',
    charge_timing: 'in_advance',
    charge_behavior: 'prorate',
    ...charge,
  })),
  components: components.map((component): Component => ({
    ...NO_INTERVALS,
    metric: '',
    bulk_pricing_enabled: false,
    prepaid_charge: null,
    ...component,
    tiers: component.tiers.map(tierOf),
  })),
});

const planOf = (fields: PartialPlan): Plan => ({
  plan_duration: null,
  day_anchor: null,
  month_anchor: null,
  price_adjustment: null,
  ...fields,
  ...pricesOf(fields),
});

const addonOf = (fields: PartialAddon): Addon => ({
  billing_frequency: 'recurring',
  invoice_when: 'invoice_on_attach',
  ...fields,
  ...pricesOf(fields),
});

/** Translates a step of a case. @param subscription name of the newest subscription */
export function stepOf(step: GoldenStep<unknown>, subscription: string): Step {
  const { at, plan = '', metric = '' } = step;
  switch (step.do) {
    case 'subscribe': {
      const from = { start_date: at, end_date: null, auto_renew: true };
      return { at, do: 'subscribe', subscription, plan, ...from };
    }
    case 'cancel': {
      const usage_behavior = step.usage_behavior === 'bill_none' ? 'bill_none' : 'bill_full';
      const others = { usage_behavior, invoicing_behavior: 'invoice_now' } as const;
      return { at, do: 'cancel', subscription, flat_fee_behavior: step.flat_fee_behavior ?? null, ...others };
    }
    case 'switch': {
      const { invoicing_behavior = 'invoice_now' } = step;
      const usage_behavior =
        step.usage_behavior === 'keep_separate' ? 'keep_separate' : 'transfer_to_new_subscription';
      return { at, do: 'switch', subscription, plan: step.to!, usage_behavior, invoicing_behavior };
    }
    case 'update': {
      const { turn_off_auto_renew = false, end_date = null } = step;
      return { at, do: 'update', subscription, turn_off_auto_renew, end_date };
    }
    case 'change_prepaid_units': {
      const { units, invoice_now = true } = step;
      return { at, do: 'change_units', subscription, metric, units: String(units), invoice_now };
    }
    case 'set_replacement':
      return { at, do: 'replace', plan: step.version!, by: step.replace_with! };
    case 'attach_addon':
      return { at, do: 'attach', subscription, addon: step.addon!, quantity: Number(step.quantity ?? 1) };
    case 'track':
      return { at, do: 'track', metric, time: step.time ?? at, value: step.n ?? null };
    case 'create_credit': {
      const { name = 'credit', amount, expires_at = null, amount_paid = '0' } = step;
      return { at, do: 'credit', name, amount: amount!, expires_at, amount_paid };
    }
    case 'void':
      return { at, do: 'void', invoice: Number(step.invoice), rebill: step.rebill ?? false };
    case 'set_proration_basis':
      return { at, do: 'basis', proration_basis: step.proration_basis! };
    case 'set_timezone':
      return { at, do: 'zone', timezone: step.timezone! };
    case 'pay_open_invoices':
      return { at, do: 'pay' };
    case 'advance_clock':
      return { at, do: 'advance' };
    default:
      throw new Error(`not known: ${step.do}`);
  }
}

/** Translates a worked case to a history, refused steps included. */
export function historyOf(scenario: GoldenScenario<unknown>): History {
  const { org, customer, metrics = {}, plans, addons = {}, steps } = scenario;
  const code = Object.values(plans)[0]?.currency_code ?? org?.default_currency_code ?? 'USD';
  const entries = <A, B>(all: Readonly<Record<string, A>>, map: (one: A) => B) =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, map(one)]));
  const nameOf = namesOfSubscriptions();
  return {
    organization: {
      tax_rate: org?.tax_rate ?? null,
      proration_basis: org?.proration_basis ?? 'second',
      late_event_grace_minutes: 30,
    },
    customer: { tax_rate: customer?.tax_rate ?? null, timezone: customer?.timezone ?? 'UTC' },
    currency: { code, decimals: DECIMALS[code] ?? 2 },
    metrics: entries(metrics, metricOf),
    plans: entries(plans, planOf),
    addons: entries(addons, addonOf),
    steps: steps.map((step) => stepOf(step, nameOf(step))),
  };
}

/** Returns a function that names the newest subscription, called for every step in order. */
export function namesOfSubscriptions(): (step: GoldenStep<unknown>) => string {
  let subscribed = 0;
  return (step) => `S${step.do === 'subscribe' ? (subscribed += 1) : subscribed}`;
}
