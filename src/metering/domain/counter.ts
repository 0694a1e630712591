import { createHash } from 'node:crypto';
import type { MetricDefinition } from '../../catalog/domain/price-content.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import { add, exactDecimalText, readJsonNumber, ZERO } from '../../kernel/quantity.js';
import type { SubscriptionFilter } from '../../subscription/domain/events.js';
import type { Properties } from './properties.js';
import { filtersOf, passes, propertyOf } from './usage-filters.js';

/** An event as it is counted. */
export interface CountedEvent {
  readonly idempotencyId: string;
  readonly customerKey: Uuid;
  readonly eventName: string;
  readonly time: Instant;
  readonly properties: Properties;
  readonly bodyHash: string;
}

/** What is asked: a customer's usage of one metric inside one window of one subscription. */
export interface UsageQuestion {
  readonly customerKey: Uuid;
  readonly definition: MetricDefinition;
  readonly filters: readonly SubscriptionFilter[];
  /** Half-open: an event belongs to exactly one of two windows that follow each other. */
  readonly window: Period;
}

export interface UsageCount {
  /** Exact decimal text; a sum may be negative. */
  readonly quantity: string;
  readonly eventCount: number;
  /** Events whose value is not a number, counted as absent. */
  readonly absentValues: number;
  /** sha256 over the body hashes (32 bytes each) in the order of the ids' UTF-8 bytes; 64 hex digits. */
  readonly digest: string;
}

/** The meaning of a counter (billing.md section 5); PostgreSQL computes the same, held to this by a property test. */
export function countUsage(question: UsageQuestion, events: readonly CountedEvent[]): UsageCount {
  const { definition } = question;
  const property = countedProperty(definition);
  const filters = filtersOf(definition, question.filters);
  const counted = events.filter(
    (event) =>
      event.customerKey === question.customerKey &&
      event.eventName === definition.eventName &&
      event.time >= question.window.start &&
      event.time < question.window.end &&
      passes(event.properties, filters),
  );
  const digest = digestOf(counted);
  if (property === null) {
    return { quantity: String(counted.length), eventCount: counted.length, absentValues: 0, digest };
  }
  const values = counted.flatMap((event) => readJsonNumber(propertyOf(event.properties, property)) ?? []);
  return {
    quantity: exactDecimalText(values.reduce(add, ZERO)),
    eventCount: counted.length,
    absentValues: counted.length - values.length,
    digest,
  };
}

/** The property that is summed; null where events are counted. @throws RangeError for what is not counted yet */
export function countedProperty({ metricType, aggregation, propertyName }: MetricDefinition): string | null {
  if (metricType !== 'counter') throw new RangeError(`a ${metricType} is not counted yet`);
  switch (aggregation) {
    case 'count':
      return null;
    case 'sum':
      if (propertyName === null) throw new RangeError('a sum is over a property');
      return propertyName;
    case 'max':
    case 'unique':
    case 'average':
      throw new RangeError(`the ${aggregation} of a counter is not computed yet`);
  }
}

function digestOf(events: readonly CountedEvent[]): string {
  const digest = createHash('sha256');
  for (const { bodyHash } of [...events].sort(byIdBytes)) digest.update(bodyHash, 'hex');
  return digest.digest('hex');
}

/** As PostgreSQL orders text in the collation "C"; JavaScript's own order differs beyond U+FFFF. */
const byIdBytes = (a: CountedEvent, b: CountedEvent): number =>
  Buffer.compare(Buffer.from(a.idempotencyId), Buffer.from(b.idempotencyId));
