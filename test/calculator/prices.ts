import fc from 'fast-check';
import type {
  Addon,
  CategoricalFilter,
  Charge,
  Component,
  Granularity,
  Intervals,
  Metric,
  NumericFilter,
  Plan,
  Tier,
} from './history.js';

type Reset = readonly [Intervals['reset_interval_unit'], number | null];
const interval = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Reset>([null, null]) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Reset>(
      ['day', 3],
      ['day', 10],
      ['week', 1],
      ['week', 2],
      ['month', 1],
      ['month', 2],
    ),
  },
);

const intervals: fc.Arbitrary<Intervals> = fc
  .tuple(interval, interval)
  .map(
    ([[reset_interval_unit, reset_interval_count], [invoicing_interval_unit, invoicing_interval_count]]) => ({
      reset_interval_unit,
      reset_interval_count,
      invoicing_interval_unit,
      invoicing_interval_count,
    }),
  );

const amount = (max: number) => fc.integer({ min: 0, max }).map((n) => (n / 100).toFixed(2));
const behavior = fc.constantFrom('prorate' as const, 'full' as const);

const charge = (index: number): fc.Arbitrary<Charge> =>
  fc
    .record({
      amount: amount(50_000),
      charge_timing: fc.constantFrom('in_advance' as const, 'in_arrears' as const),
      charge_behavior: fc.oneof(
        { weight: 3, arbitrary: fc.constant('prorate' as const) },
        { weight: 1, arbitrary: behavior },
      ),
      said: intervals,
    })
    .map(({ said, ...rest }) => ({ name: `fee ${index}`, ...rest, ...said }));

const tier = (
  type: Tier['type'],
  start: string,
  end: string | null,
  cost: string | null,
  more: Partial<Tier> = {},
): Tier => ({
  type,
  range_start: start,
  range_end: end,
  cost_per_batch: cost,
  metric_units_per_batch: type === 'per_unit' ? '1' : null,
  batch_rounding_type: null,
  ...more,
});

const TIERS: readonly (readonly Tier[])[] = [
  [tier('per_unit', '0', null, '0.333')],
  [tier('per_unit', '0', null, '31')],
  [tier('free', '0', '10', null), tier('per_unit', '10', null, '1.00')],
  [tier('free', '0', '5', null), tier('per_unit', '6', '50', '0.05'), tier('per_unit', '50', null, '0.015')],
  [tier('flat', '0', '3', '4.00'), tier('flat', '3', '20', '7.00'), tier('per_unit', '20', '60', '0.10')],
  [tier('per_unit', '0', null, '2.50', { metric_units_per_batch: '4', batch_rounding_type: 'round_up' })],
  [
    tier('per_unit', '0', '30', '1.10', { metric_units_per_batch: '0.7', batch_rounding_type: 'round_down' }),
    tier('per_unit', '30', null, '3.00', {
      metric_units_per_batch: '7',
      batch_rounding_type: 'round_nearest',
    }),
  ],
];

const component = (metric: string, prepaid: boolean): fc.Arbitrary<Component> =>
  fc
    .record({
      tiers: fc.constantFrom(...TIERS),
      bulk_pricing_enabled: fc.boolean(),
      said: intervals,
      prepaid_charge: prepaid
        ? fc.option(fc.record({ units: fc.constantFrom('0', '7', '30'), charge_behavior: behavior }), {
            freq: 2,
          })
        : fc.constant(null),
    })
    .map(({ said, ...rest }) => ({ metric, ...rest, ...said }));

const UNITS: readonly Granularity[] = [
  'seconds',
  'minutes',
  'hours',
  'days',
  'months',
  'quarters',
  'years',
  'total',
];

type Measure = Omit<Metric, 'numeric_filters' | 'categorical_filters'>;

const counter: fc.Arbitrary<Measure> = fc
  .constantFrom('count' as const, 'sum' as const, 'max' as const, 'unique' as const, 'average' as const)
  .map((aggregation_type) => ({
    metric_type: 'counter',
    aggregation_type,
    property_name: aggregation_type === 'count' ? null : 'n',
    granularity: 'total',
    event_type: null,
    proration: null,
  }));

/** Gauges, mostly of long granularities: these depend on anchors, cuts and intervals. */
const gauge: fc.Arbitrary<Measure> = fc
  .tuple(
    fc.constantFrom(1, 2, 3, 4, 4, 5, 6, 7, 7, 7),
    fc.option(fc.constantFrom(0, 1, 2, 3, 3, 3, 4, 5, 6), { freq: 6 }),
    fc.constantFrom('delta' as const, 'total' as const),
  )
  .map(([long, short, event_type]) => ({
    metric_type: 'gauge',
    aggregation_type: 'max',
    property_name: 'n',
    event_type,
    granularity: UNITS[long]!,
    proration: short === null ? null : UNITS[short % long]!,
  }));

const rate: fc.Arbitrary<Measure> = fc
  .tuple(
    fc.constantFrom('count' as const, 'sum' as const, 'max' as const, 'average' as const),
    fc.constantFrom(...UNITS),
  )
  .map(([aggregation_type, granularity]) => ({
    metric_type: 'rate',
    aggregation_type,
    property_name: aggregation_type === 'count' ? null : 'n',
    granularity,
    event_type: null,
    proration: null,
  }));

export const METRICS = ['M0', 'M1'] as const;

/** Optional features that a history uses. */
export interface Features {
  readonly prepaid: boolean;
  readonly adjustments: boolean;
  readonly tax: boolean;
  readonly credits: boolean;
  readonly switches: boolean;
  readonly addons: boolean;
  readonly voids: boolean;
  readonly replacements: boolean;
}

const adjustment = fc.option(
  fc.record({
    price_adjustment_type: fc.constantFrom(
      'percentage' as const,
      'fixed' as const,
      'price_override' as const,
    ),
    price_adjustment_amount: fc.integer({ min: -60, max: 60 }).map(String),
  }),
  { freq: 2 },
);

export const plan = (features: Features): fc.Arbitrary<Omit<Plan, 'plan_duration'>> =>
  fc.record({
    day_anchor: fc.option(fc.constantFrom(1, 15, 20, 25, 29, 31)),
    month_anchor: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 2 }),
    recurring_charges: fc
      .tuple(charge(0), charge(1))
      .chain((all) => fc.nat({ max: 2 }).map((n) => all.slice(0, n))),
    components: fc
      .tuple(component(METRICS[0], features.prepaid), component(METRICS[1], features.prepaid))
      .chain((all) => fc.nat({ max: 2 }).map((n) => all.slice(0, n))),
    price_adjustment: features.adjustments
      ? adjustment.map((said) =>
          said?.price_adjustment_type === 'price_override' && said.price_adjustment_amount.startsWith('-')
            ? null
            : said,
        )
      : fc.constant(null),
  });

export const addon: fc.Arbitrary<Addon> = fc.record({
  billing_frequency: fc.constantFrom('one_time' as const, 'recurring' as const),
  invoice_when: fc.constantFrom('invoice_on_attach' as const, 'invoice_on_subscription_end' as const),
  recurring_charges: charge(2).map((one) => [one]),
  components: fc.option(component(METRICS[1], false), { freq: 2 }).map((one) => (one ? [one] : [])),
});

const numericFilter: fc.Arbitrary<NumericFilter> = fc.record({
  property_name: fc.constantFrom('n', 'size', 'size'),
  operator: fc.constantFrom('gte' as const, 'gt' as const, 'eq' as const, 'lt' as const, 'lte' as const),
  comparison_value: fc.constantFrom('3', '5', '12.5'),
});

export const REGIONS = ['eu', 'us', '5'] as const;

const categoricalFilter: fc.Arbitrary<CategoricalFilter> = fc.record({
  property_name: fc.constantFrom('region', 'region', 'size'),
  operator: fc.constantFrom('isin' as const, 'isnotin' as const),
  comparison_value: fc.subarray([...REGIONS], { minLength: 1, maxLength: 2 }),
});

const atMostOne = <T>(filter: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.option(filter, { freq: 2 }).map((one) => (one === null ? [] : [one]));

export const metric: fc.Arbitrary<Metric> = fc
  .tuple(
    fc.oneof(
      { weight: 2, arbitrary: counter },
      { weight: 3, arbitrary: gauge },
      { weight: 2, arbitrary: rate },
    ),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant({ numeric_filters: [], categorical_filters: [] }) },
      {
        weight: 2,
        arbitrary: fc.record({
          numeric_filters: atMostOne(numericFilter),
          categorical_filters: atMostOne(categoricalFilter),
        }),
      },
    ),
  )
  .map(([measure, filters]) => ({ ...measure, ...filters }));
