import { createHash } from 'node:crypto';
import { DAY, plusMicros, type Instant } from '../../kernel/instant.js';
import { add, exactText, readExactText } from '../../kernel/quantity.js';
import type { Period } from '../../kernel/period.js';
import { readProperty, type UsageCount, type UsageQuestion } from './counter.js';
import { START_OF_LOG } from './read-span.js';

/**
 * Age of the oldest event that can still be accepted for a closed window: a window is closed after its end, and older
 * events are refused from then on (docs/contract.md#usage-events).
 */
export const OLDEST_EVENT = 31n * DAY;

/** Count of all deltas of a gauge up to an instant, which a later count of the gauge continues. */
export interface UsageBase {
  /** Exclusive end of the counted deltas. */
  readonly end: Instant;
  /** Watermark it was counted up to. */
  readonly sealedUpTo: string;
  /** Sum of the deltas, exact. */
  readonly level: string;
  readonly eventCount: number;
  readonly absentValues: number;
  readonly digest: string;
}

/** A question that may continue an earlier count. */
export type QuestionFromBase = UsageQuestion & { readonly base?: UsageBase };

/**
 * Returns the earliest time of a delta that a base may lack: one before the base's end that arrived after it was
 * counted.
 */
const newSince = ({ end }: UsageBase): Instant => plusMicros(end, -OLDEST_EVENT);

/** Adds the numbers of a base to a count of newer deltas. */
export const withBase = <Count extends Omit<UsageCount, 'digest' | 'level'>>(
  base: UsageBase,
  others: Count,
): Count => ({
  ...others,
  quantity: exactText(add(readExactText(base.level), readExactText(others.quantity))),
  eventCount: base.eventCount + others.eventCount,
  absentValues: base.absentValues + others.absentValues,
});

/**
 * Adds a count of newer deltas to a base. The digest is sha256 over both digests (32 bytes each), the base's first;
 * without newer deltas it is the base's.
 */
export function addToBase(base: UsageBase, others: UsageCount): UsageCount {
  const digest = createHash('sha256').update(base.digest, 'hex').update(others.digest, 'hex');
  return {
    ...withBase(base, others),
    digest: others.eventCount === 0 ? base.digest : digest.digest('hex'),
  };
}

/** Sums all deltas up to the end of the window, continuing the base where there is one. */
export function allDeltas(question: QuestionFromBase): QuestionFromBase {
  const { base, window } = question;
  if (!base) return asCounter(question, { start: START_OF_LOG, end: window.end });
  return { ...asCounter(question, { start: newSince(base), end: window.end }), base };
}

/** Returns the counter of the same events: a count, or a sum where absent values matter. */
export function asCounter({ base: _, ...question }: QuestionFromBase, window: Period): UsageQuestion {
  const { definition } = question;
  const counts = definition.aggregation === 'count';
  const read = counts
    ? ({ aggregation: 'count', propertyName: null } as const)
    : ({ aggregation: 'sum', propertyName: readProperty(definition) } as const);
  return { ...question, window, definition: { ...definition, ...read, metricType: 'counter' } };
}
