import { hash } from 'node:crypto';
import { assertNever } from '../../kernel/decider.js';
import type { CategoricalFilter, MetricDefinition, NumericFilter } from '../../pricing/price-content.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import {
  add,
  compareQuantities,
  divide,
  exactText,
  maxQuantity,
  quantity,
  ratio,
  readJsonNumber,
  textOfNumber,
  ZERO,
  type Quantity,
} from '../../kernel/quantity.js';
import type { SubscriptionFilter } from '../../subscription/domain/events.js';
import type { UsageBasis } from './granularity.js';
import type { Properties } from './properties.js';

/** An event as it is counted. */
export interface CountedEvent {
  readonly idempotencyId: string;
  readonly customerKey: Uuid;
  readonly eventName: string;
  readonly time: Instant;
  readonly properties: Properties;
  readonly bodyHash: string;
}

/** Question for the usage of a customer by one metric in one window of one subscription. */
export interface UsageQuestion {
  readonly customerKey: Uuid;
  readonly definition: MetricDefinition;
  readonly filters: readonly SubscriptionFilter[];
  /** Half-open: an event belongs to exactly one of two windows that follow each other. */
  readonly window: Period;
  /** Needed for gauges and rates whose granularity or proration is longer than an hour. */
  readonly basis?: UsageBasis;
}

export interface UsageCount {
  /** Exact: decimal text, or `n/d` where the decimal does not end; a sum may be negative. */
  readonly quantity: string;
  readonly eventCount: number;
  /** Events whose value is not a number, counted as absent. */
  readonly absentValues: number;
  /** sha256 over the body hashes (32 bytes each) in the order of the ids' UTF-8 bytes; 64 hex digits. */
  readonly digest: string;
  /** Exact level at the end of the window of a gauge that deltas move. */
  readonly level?: string;
  /** Counted events that differ from what was received, by an audit; absent if none does. */
  readonly altered?: AlteredEvents;
}

export interface AlteredEvents {
  /** The first of them, by their bytes. */
  readonly ids: readonly string[];
  readonly count: number;
}

/** Counts a counter (docs/billing.md#counters). PostgreSQL computes the same; a property test compares both. */
export function countUsage(question: UsageQuestion, events: readonly CountedEvent[]): UsageCount {
  const { definition, window } = question;
  const property = countedProperty(definition);
  const counted = matchingEvents(question, window, events);
  const evidence = { eventCount: counted.length, digest: digestOf(counted) };
  if (property === null) return { quantity: String(counted.length), absentValues: 0, ...evidence };
  const sent = counted.map(({ properties }) => propertyOf(properties, property));
  if (definition.aggregation === 'unique') {
    const texts = sent.flatMap((value) => asText(value) ?? []);
    return {
      quantity: String(new Set(texts).size),
      absentValues: counted.length - texts.length,
      ...evidence,
    };
  }
  const values = sent.flatMap((value) => readJsonNumber(value) ?? []);
  return {
    quantity: exactText(aggregate(definition.aggregation, values)),
    absentValues: counted.length - values.length,
    ...evidence,
  };
}

function aggregate(by: MetricDefinition['aggregation'], values: readonly Quantity[]): Quantity {
  if (by === 'max') return values.reduce(maxQuantity, ZERO);
  const total = values.reduce(add, ZERO);
  return by === 'average' ? averageOf(total, values.length) : total;
}

/** The average of no values is 0. */
export const averageOf = (total: Quantity, values: number): Quantity =>
  values === 0 ? ZERO : divide(total, ratio(BigInt(values), 1n));

/**
 * Returns the aggregated property; null if events are counted.
 * @throws RangeError for a definition that is no counter
 */
export function countedProperty({ metricType, aggregation, propertyName }: MetricDefinition): string | null {
  if (metricType !== 'counter') throw new RangeError(`a ${metricType} is no counter`);
  return aggregation === 'count' ? null : readProperty({ aggregation, propertyName });
}

/** @throws RangeError for a definition without one */
export function readProperty({
  aggregation,
  propertyName,
}: Pick<MetricDefinition, 'aggregation' | 'propertyName'>): string {
  if (propertyName === null) throw new RangeError(`a metric by ${aggregation} is over a property`);
  return propertyName;
}

/** Selects the events of a question inside a period: its customer, its name, and past all filters. */
export function matchingEvents(
  { customerKey, definition, filters }: UsageQuestion,
  { start, end }: Period,
  events: readonly CountedEvent[],
): CountedEvent[] {
  const all = filtersOf(definition, filters);
  return events.filter(
    (event) =>
      event.customerKey === customerKey &&
      event.eventName === definition.eventName &&
      event.time >= start &&
      event.time < end &&
      passes(event.properties, all),
  );
}

/** Filters of a metric and of a subscription. A counted event passes all of them. */
export interface UsageFilters {
  readonly numeric: readonly NumericFilter[];
  readonly categorical: readonly CategoricalFilter[];
}

/** Adds the filters of a subscription to those of its metric: each requires one value of a property, compared as text. */
export const filtersOf = (
  definition: MetricDefinition,
  subscription: readonly SubscriptionFilter[],
): UsageFilters => ({
  numeric: definition.numericFilters,
  categorical: [
    ...definition.categoricalFilters,
    ...subscription.map(({ propertyName, value }) => ({
      propertyName,
      operator: 'isin' as const,
      comparisonValue: [value],
    })),
  ],
});

export const passes = (properties: Properties, filters: UsageFilters): boolean =>
  filters.numeric.every((filter) => passesNumeric(properties, filter)) &&
  filters.categorical.every((filter) => passesCategorical(properties, filter));

/** A property without a value (docs/billing.md#event-values) passes no comparison. */
function passesNumeric(properties: Properties, filter: NumericFilter): boolean {
  const value = readJsonNumber(propertyOf(properties, filter.propertyName));
  if (value === undefined) return false;
  const order = compareQuantities(value, quantity(filter.comparisonValue));
  switch (filter.operator) {
    case 'gte':
      return order >= 0;
    case 'gt':
      return order > 0;
    case 'eq':
      return order === 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    default:
      return assertNever(filter.operator);
  }
}

/** `isnotin` passes where the property is missing; `isin` does not. */
function passesCategorical(properties: Properties, filter: CategoricalFilter): boolean {
  const text = asText(propertyOf(properties, filter.propertyName));
  const isIn = text !== undefined && filter.comparisonValue.includes(text);
  return filter.operator === 'isin' ? isIn : !isIn;
}

/**
 * Returns the text that filters compare: of a number its plain decimal digits (1e21 → 1000000000000000000000); none for
 * null, lists and objects.
 */
function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return textOfNumber(value);
  return typeof value === 'boolean' ? String(value) : undefined;
}

/** Reads own properties only: `constructor` and the like are inherited by every object. */
export const propertyOf = (properties: Properties, name: string): unknown =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;

export function digestOf(events: readonly CountedEvent[]): string {
  const hashes = Buffer.alloc(events.length * HASH_BYTES);
  for (const [index, { bodyHash }] of [...events].sort(byIdBytes).entries()) {
    hashes.write(bodyHash, index * HASH_BYTES, 'hex');
  }
  return hash('sha256', hashes);
}

const HASH_BYTES = 32;

/**
 * Orders events by the bytes of their ids in UTF-8, like the collation "C" of PostgreSQL. JavaScript orders code units: a
 * surrogate pair, which stands for a character beyond U+FFFF, before the characters from U+E000 on.
 */
export function byIdBytes({ idempotencyId: a }: EventId, { idempotencyId: b }: EventId): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left !== right) return rankOf(left) - rankOf(right);
  }
  return a.length - b.length;
}

type EventId = Pick<CountedEvent, 'idempotencyId'>;

const rankOf = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

/** Describes altered events in sentences for an auditor. */
export function* describeAlteredEvents({ ids, count }: AlteredEvents): Generator<string> {
  for (const id of ids) yield `usage event ${JSON.stringify(id)} is not as it was received`;
  if (count > ids.length) yield `${count - ids.length} more usage events are not as they were received`;
}
