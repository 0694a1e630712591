/** The catalog of random books: every kind of price, period and metric. */

interface Metric {
  readonly metric_type?: string;
  readonly event_type?: string;
  readonly aggregation_type?: string;
  readonly property_name?: string;
  readonly granularity?: string;
  readonly proration?: string;
}

type Body = Readonly<Record<string, unknown>>;

type SoldUsage = Body & { readonly metric: string };

export type SoldPlan = Body & {
  readonly currency_code: string;
  readonly duration?: string | null;
  readonly fees?: readonly Body[];
  readonly usage?: readonly SoldUsage[];
};

const gauge = (granularity: string, proration?: string, event_type = 'total'): Metric => ({
  metric_type: 'gauge',
  aggregation_type: 'max',
  event_type,
  property_name: 'n',
  granularity,
  ...(proration && { proration }),
});
const counter = (aggregation_type: string): Metric => ({
  aggregation_type,
  ...(aggregation_type !== 'count' && { property_name: 'n' }),
});
const rate = (granularity: string, aggregation_type: string): Metric => ({
  metric_type: 'rate',
  aggregation_type,
  granularity,
  ...(aggregation_type !== 'count' && { property_name: 'n' }),
});

export const METRICS: Readonly<Record<string, Metric>> = {
  calls: counter('count'),
  bytes: counter('sum'),
  peak: counter('max'),
  users: counter('unique'),
  mean: counter('average'),
  seats: gauge('months', 'days'),
  disks: gauge('total', 'days'),
  nodes: gauge('quarters', 'days', 'delta'),
  cores: gauge('total', 'hours', 'delta'),
  lines: gauge('hours', 'minutes'),
  rooms: gauge('days'),
  hosts: gauge('years', 'months'),
  burst: rate('hours', 'sum'),
  flow: rate('days', 'max'),
  load: rate('months', 'count'),
  surge: rate('total', 'sum'),
};

const free = (end: number) => ({ type: 'free', range_start: 0, range_end: end });
const per = (cost: number, start = 0, more: Body = {}) => ({
  type: 'per_unit',
  range_start: start,
  cost_per_batch: cost,
  metric_units_per_batch: 1,
  ...more,
});
const flat = (cost: number, start: number, end: number) => ({
  type: 'flat',
  range_start: start,
  range_end: end,
  cost_per_batch: cost,
});
const every = (unit: string, count = 1) => ({ reset_interval_unit: unit, reset_interval_count: count });
const invoiced = (unit: string, count = 1) => ({
  invoicing_interval_unit: unit,
  invoicing_interval_count: count,
});
const arrears = { charge_timing: 'in_arrears' };
const whole = { charge_behavior: 'full' };
const adjusted = (type: string, amount: number) => ({
  price_adjustment: {
    price_adjustment_name: type,
    price_adjustment_type: type,
    price_adjustment_amount: amount,
  },
});
const units = (amount: number | null, behavior: string) => ({
  prepaid_charge: { units: amount, charge_behavior: behavior },
});

const usd = { currency_code: 'USD' } as const;

export const PLANS: Readonly<Record<string, SoldPlan>> = {
  small: { ...usd, fees: [{ amount: 31 }], usage: [{ metric: 'calls', tiers: [free(5), per(0.37, 5)] }] },
  large: {
    ...usd,
    fees: [{ amount: 89.99 }, { amount: 12.5, ...arrears }],
    usage: [
      { metric: 'calls', tiers: [per(0.11)] },
      { metric: 'disks', tiers: [per(31)] },
    ],
  },
  weekly: {
    ...usd,
    fees: [{ amount: 7.77, ...every('week'), ...whole }],
    usage: [
      { metric: 'disks', tiers: [per(31)], ...every('week'), ...invoiced('week') },
      { metric: 'seats', tiers: [per(31)], ...every('week') },
    ],
  },
  anchored: {
    ...usd,
    day_anchor: 25,
    fees: [{ amount: 31 }, { amount: 9, ...arrears, ...whole }],
    usage: [
      { metric: 'seats', tiers: [per(31)], ...every('week') },
      { metric: 'cores', tiers: [free(2), per(3.33, 2)], ...invoiced('day', 10) },
    ],
  },
  prepaid: {
    ...usd,
    fees: [{ amount: 30 }],
    usage: [
      { metric: 'calls', tiers: [free(10), per(1, 10)], ...units(20, 'full') },
      { metric: 'bytes', tiers: [per(0.35)], ...units(15, 'prorate'), ...every('week') },
    ],
  },
  unpaid: {
    ...usd,
    fees: [{ amount: 45, ...whole }],
    usage: [
      { metric: 'calls', tiers: [per(0.9)] },
      { metric: 'bytes', tiers: [per(0.4)] },
      { metric: 'load', tiers: [per(2)] },
    ],
  },
  percent: {
    ...usd,
    ...adjusted('percentage', -8.75),
    fees: [{ amount: 3.6 }, { amount: 0.5, ...arrears }, { amount: 100 }],
    usage: [
      { metric: 'mean', tiers: [per(1.01)], ...invoiced('week') },
      { metric: 'users', tiers: [flat(3, 0, 1), per(0.45, 1)] },
    ],
  },
  fixed: {
    ...usd,
    ...adjusted('fixed', -25),
    fees: [{ amount: 100 }],
    usage: [
      { metric: 'bytes', tiers: [per(0.07)] },
      { metric: 'burst', tiers: [per(0.5)] },
    ],
  },
  override: {
    ...usd,
    ...adjusted('price_override', 20),
    fees: [{ amount: 30 }],
    usage: [{ metric: 'bytes', tiers: [per(0.13)], ...invoiced('day', 10) }],
  },
  volume: {
    ...usd,
    fees: [{ amount: 5, ...every('day', 10), ...arrears }],
    usage: [
      {
        metric: 'bytes',
        bulk_pricing_enabled: true,
        tiers: [{ ...per(0.5), range_end: 60 }, { ...per(0.3, 60), range_end: 120 }, per(0.1, 120)],
        ...invoiced('week'),
      },
      {
        metric: 'peak',
        tiers: [per(1.5, 0, { metric_units_per_batch: 10, batch_rounding_type: 'round_up' })],
      },
    ],
  },
  levels: {
    ...usd,
    fees: [],
    usage: [
      { metric: 'nodes', tiers: [per(31)], ...every('month') },
      { metric: 'lines', tiers: [per(0.01)], ...every('week'), ...invoiced('week') },
      { metric: 'rooms', tiers: [per(0.8)], ...every('day', 10) },
      { metric: 'surge', tiers: [per(0.7)], ...every('week'), ...invoiced('week') },
    ],
  },
  quarterly: {
    ...usd,
    duration: 'quarterly',
    day_anchor: 1,
    month_anchor: 1,
    fees: [{ amount: 300 }, { amount: 19.99, ...every('month') }],
    usage: [
      { metric: 'seats', tiers: [per(12)], ...every('month'), ...invoiced('month') },
      { metric: 'nodes', tiers: [per(31)], ...invoiced('month') },
      { metric: 'flow', tiers: [per(0.25)] },
    ],
  },
  quarters: {
    ...usd,
    duration: 'quarterly',
    fees: [{ amount: 411.11 }, { amount: 50, ...arrears, ...invoiced('month'), ...every('month') }],
    usage: [
      { metric: 'disks', tiers: [per(90)], ...every('month'), ...invoiced('month') },
      { metric: 'nodes', tiers: [free(1), per(29, 1)], ...units(2, 'prorate') },
    ],
  },
  yearly: {
    ...usd,
    duration: 'yearly',
    fees: [{ amount: 1_000 }],
    usage: [
      { metric: 'hosts', tiers: [per(365)], ...every('month'), ...invoiced('month') },
      { metric: 'calls', tiers: [per(0.2)], ...invoiced('month') },
    ],
  },
  longer: {
    ...usd,
    duration: 'yearly',
    fees: [{ amount: 3_000 }, { amount: 4.04, ...every('week'), ...arrears, ...invoiced('month') }],
    usage: [{ metric: 'calls', tiers: [per(0.1)], ...every('month'), ...invoiced('month') }],
  },
  endless: {
    ...usd,
    duration: null,
    fees: [{ amount: 8.99, ...every('week', 2) }],
    usage: [
      { metric: 'calls', tiers: [per(0.33)] },
      { metric: 'surge', tiers: [per(0.19)] },
    ],
  },
  yen: {
    currency_code: 'JPY',
    ...adjusted('percentage', -33.333),
    fees: [{ amount: 1_000 }, { amount: 777, ...arrears }],
    usage: [{ metric: 'disks', tiers: [per(310)], ...every('week') }],
  },
  moreYen: {
    currency_code: 'JPY',
    fees: [{ amount: 5_001 }],
    usage: [{ metric: 'disks', tiers: [per(99)] }],
  },
  dinars: {
    currency_code: 'KWD',
    fees: [{ amount: 12.345 }],
    usage: [
      { metric: 'seats', tiers: [per(0.333)] },
      { metric: 'calls', tiers: [per(0.0075)] },
    ],
  },
  moreDinars: {
    currency_code: 'KWD',
    fees: [{ amount: 31.007 }],
    usage: [{ metric: 'seats', tiers: [per(1.111)] }],
  },
};

export const ADDONS: Readonly<Record<string, Body & { readonly usage?: readonly SoldUsage[] }>> = {
  support: { recurring_charges: [fee('support', 10)], billing_frequency: 'recurring' },
  setup: { recurring_charges: [fee('setup', 500, 'full')] },
  hotline: {
    recurring_charges: [fee('hotline', 15)],
    billing_frequency: 'recurring',
    invoice_when: 'invoice_on_subscription_end',
  },
  telephony: {
    recurring_charges: [fee('telephony', 4)],
    billing_frequency: 'recurring',
    usage: [{ metric: 'flow', tiers: [per(0.3)] }],
  },
};

function fee(name: string, amount: number, behavior = 'prorate') {
  return { name, amount, charge_timing: 'in_advance', charge_behavior: behavior };
}

export const START = '2025-12-01T00:00:00Z';

/** Changes of the organization's settings, by days after the start. */
export const SETTINGS: readonly (Body & { readonly day: number })[] = [
  { day: 0, tax_rate: 10, payment_grace_period: 14 },
  { day: 45, proration_basis: 'day' },
  { day: 80, tax_rate: 19 },
  { day: 110, proration_basis: 'second', late_event_grace_minutes: 90 },
];

const ZONES = [null, 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Apia'];
const RATES = [null, null, 0, 8.875, 25.5];

export const CUSTOMERS = Array.from({ length: 75 }, (_, index) => {
  const [zone, rate] = [ZONES[index % 5], RATES[(index >> 1) % 5]];
  return {
    currency: index % 15 === 13 ? 'JPY' : index % 15 === 14 ? 'KWD' : 'USD',
    changes: { ...(zone && { timezone: zone }), ...(typeof rate === 'number' && { tax_rate: rate }) },
  };
});
