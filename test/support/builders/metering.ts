import type { MetricDefinition } from '../../../src/pricing/price-content.js';
import { sha256Hex } from '../../../src/kernel/canonical-json.js';
import { instant } from '../../../src/kernel/instant.js';
import type { Period } from '../../../src/kernel/period.js';
import type { CountedEvent, UsageQuestion } from '../../../src/metering/domain/counter.js';
import type { UsageBasis } from '../../../src/metering/domain/granularity.js';
import type { Properties } from '../../../src/metering/domain/properties.js';

const CUSTOMER = '5d1b9e1c-77a7-4a6e-8f86-0d8a4cf1f1aa';

/** A counter of requests. */
export const aCounter = (changes: Partial<MetricDefinition> = {}): MetricDefinition => ({
  eventName: 'request',
  metricType: 'counter',
  aggregation: 'count',
  propertyName: null,
  granularity: null,
  eventType: null,
  proration: null,
  numericFilters: [],
  categoricalFilters: [],
  isCostMetric: false,
  ...changes,
});

/** A gauge of totals of `n`, with months as granularity and proration by days. */
export const aGauge = (changes: Partial<MetricDefinition> = {}): MetricDefinition =>
  aCounter({
    metricType: 'gauge',
    aggregation: 'max',
    propertyName: 'n',
    granularity: 'months',
    eventType: 'total',
    proration: 'days',
    ...changes,
  });

/** A rate: the sum of `n` per hour. */
export const aRate = (changes: Partial<MetricDefinition> = {}): MetricDefinition =>
  aGauge({
    metricType: 'rate',
    aggregation: 'sum',
    granularity: 'hours',
    eventType: null,
    proration: null,
    ...changes,
  });

export const aPeriod = (start: string, end: string): Period => ({ start: instant(start), end: instant(end) });

/** A usage basis anchored on the first day of the month, with this period. */
export const aBasis = (period: Period, changes: Partial<UsageBasis> = {}): UsageBasis => ({
  zone: 'UTC',
  anchor: { day: 1, month: 1, firstStart: period.start },
  period,
  ...changes,
});

export const aQuestion = (
  definition: MetricDefinition,
  window: Period,
  basis: UsageBasis = aBasis(window),
): UsageQuestion => ({ customerKey: CUSTOMER, definition, filters: [], window, basis });

/** Events with readings of `n`, or without one; their ids are in the given order. */
export const readings = (...values: readonly (readonly [at: string, n?: unknown])[]): CountedEvent[] =>
  values.map(([at, n], index) => ({
    idempotencyId: `id-${String(index).padStart(4, '0')}`,
    customerKey: CUSTOMER,
    eventName: 'request',
    time: instant(at),
    properties: (n === undefined ? {} : { n }) as Properties,
    bodyHash: sha256Hex(String(index)),
  }));
