import fc from 'fast-check';
import type { MetricDefinition } from '../../src/pricing/price-content.js';
import { fromMicros, instant, MINUTE, toMicros, type Instant } from '../../src/kernel/instant.js';
import { aBasis } from '../support/builders/metering.js';

/** Small sets of customers, names, times and properties, so that queries match events; values include unusual ones. */
const START = toMicros(instant('2026-01-20'));
const time = fc
  .tuple(fc.integer({ min: 0, max: 20 }), fc.constantFrom(0n, 0n, 1n, -1n))
  .map(([minutes, micros]): Instant => fromMicros(START + BigInt(minutes) * MINUTE + micros));
const customer = fc.constantFrom('c-1', 'c-1', 'c-1', 'c-2');
const eventName = fc.constantFrom('request', 'request', 'request', 'Request', 'download');
const propertyName = fc.constantFrom(
  'n',
  'n',
  'n',
  'p',
  'p',
  '',
  'constructor',
  '__proto__',
  'it\'s "odd" \\ name',
);
const numberText = fc.constantFrom(
  ...[
    '0',
    '-0',
    '5',
    '-2.50',
    '0.1',
    '1e3',
    '1E+03',
    '1e-7',
    '0e9999',
    '123456789012345',
    '1234567890123456',
  ],
  ...[
    '0.00000123456789012345',
    '100000000000000000000000',
    '1e-307',
    '9.9e-308',
    '9.99e307',
    '1e308',
    '1e400',
  ],
  ...[
    '1e00000000000000000007',
    '1e-00000000000001000',
    '0.1e-306',
    '10e-308',
    '1e99999999999',
    '+5',
    '05',
    '5.',
  ],
  ...['', ' 5', '5\n', '5 ', '٥', '0x10', 'NaN', 'Infinity', '1'.padEnd(400, '0'), '0.'.padEnd(401, '0')],
  `${'1'.padEnd(300, '0')}e-300`,
  `${'1'.padEnd(307, '0')}1e2`,
);
const numberLike = fc.stringMatching(/^-?\d{1,17}(\.\d{1,17})?([eE][+-]?\d{1,4})?$/);
const double = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.constantFrom(
    0.1,
    0.1 + 0.2,
    -0,
    1e21,
    1e-7,
    5e-324,
    1.5e-307,
    1e308,
    9.99e307,
    123456789012345,
    2 ** 53,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const category = fc.constantFrom('a', 'b', '5', 'true', 'null', '0.1', '1000000000000000000000', 'é');
export const value = fc.oneof(
  { weight: 6, arbitrary: double },
  { weight: 3, arbitrary: numberText },
  { weight: 2, arbitrary: numberLike },
  { weight: 3, arbitrary: category },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(true, false, null, [], ['a'], {}, { a: 1 }, [5]) },
);
const properties = fc
  .array(fc.tuple(propertyName, value), { maxLength: 4 })
  .map((members) => JSON.parse(JSON.stringify(Object.fromEntries(members))) as object);
const event = fc.record({
  customer_id: customer,
  event_name: eventName,
  time_created: time,
  properties,
});
const idPrefix = fc.constantFrom('', 'A', 'a', '\u{1f600}', '\uffee', '~');
export const batches = fc.array(
  fc.record({
    entries: fc.array(fc.tuple(idPrefix, event), { minLength: 5, maxLength: 30, size: 'max' }),
    sealedAfter: fc.constantFrom(true, true, false),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Mostly no filters, so that most queries count something. */
const mostlyNone = <T>(filter: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<T[]>([]) },
    { weight: 2, arbitrary: fc.array(filter, { maxLength: 2 }) },
  );

type Kind = Pick<MetricDefinition, 'metricType' | 'aggregation'> & Partial<MetricDefinition>;
const counterKind = fc
  .constantFrom('count' as const, 'sum' as const, 'max' as const, 'unique' as const, 'average' as const)
  .map((aggregation): Kind => ({ metricType: 'counter', aggregation }));
const gaugeKind = fc
  .tuple(
    fc.constantFrom('delta' as const, 'total' as const),
    fc.constantFrom(null, 'seconds', 'minutes', 'days'),
  )
  .map(([eventType, proration]): Kind => ({
    metricType: 'gauge',
    aggregation: 'max',
    eventType,
    granularity: 'months',
    proration,
  }));
const rateKind = fc
  .tuple(
    fc.constantFrom('count' as const, 'sum' as const, 'max' as const, 'average' as const),
    fc.constantFrom('seconds', 'minutes', 'hours', 'total'),
  )
  .map(([aggregation, granularity]): Kind => ({ metricType: 'rate', aggregation, granularity }));

const definition = fc
  .record({
    eventName,
    property: propertyName,
    kind: fc.oneof(
      { weight: 3, arbitrary: counterKind },
      { weight: 2, arbitrary: gaugeKind },
      { weight: 2, arbitrary: rateKind },
    ),
    numericFilters: mostlyNone(
      fc.record({
        propertyName,
        operator: fc.constantFrom('gte', 'gt', 'eq', 'lt', 'lte'),
        comparisonValue: fc.constantFrom('0', '5', '-2.5', '0.1', '0.30000000000000004', '1000', '1e21'),
      }),
    ),
    categoricalFilters: mostlyNone(
      fc.record({
        propertyName,
        operator: fc.constantFrom('isin', 'isnotin'),
        comparisonValue: fc.array(fc.oneof(category, numberText), { maxLength: 5 }),
      }),
    ),
  })
  .map(({ property, kind, ...rest }): MetricDefinition => ({
    ...(rest as Pick<MetricDefinition, 'eventName' | 'numericFilters' | 'categoricalFilters'>),
    granularity: null,
    eventType: null,
    proration: null,
    isCostMetric: false,
    ...kind,
    propertyName: kind.aggregation === 'count' ? null : property,
  }));
export const BASIS = aBasis({ start: instant('2026-01-01'), end: instant('2026-02-01') });
export const question = fc.record({
  customer_id: customer,
  definition,
  filters: mostlyNone(fc.record({ propertyName, value: category })),
  window: fc
    .oneof(fc.constant([fromMicros(START), instant('2026-02-01')] as const), fc.tuple(time, time))
    .map(([a, b]) => (a <= b ? { start: a, end: b } : { start: b, end: a })),
});
