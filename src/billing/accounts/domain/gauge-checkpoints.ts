import { canonicalJson } from '../../../kernel/canonical-json.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { UsageBase } from '../../../metering/domain/usage-base.js';
import type { SubscriptionFilter } from '../../../subscription/domain/events.js';
import { periodCountOf } from './account-charges.js';
import type { PeriodCount, ClosedUsagePeriod } from './event-data.js';

/** The close that a later count of the same gauge goes on from. */
export type GaugeCheckpoint = UsageBase & { readonly closeId: Uuid };

/** By what of the usage they are the level of: the close that reaches furthest. */
export type GaugeCheckpoints = ReadonlyMap<string, PeriodCount>;

/** A metric never changes: with the same filters the same events of the customer move the same level. */
const levelOf = (metricId: Uuid, filters: readonly SubscriptionFilter[]): string =>
  `${metricId} ${canonicalJson(filters)}`;

export function withCheckpoint(levels: GaugeCheckpoints, close: ClosedUsagePeriod): GaugeCheckpoints {
  const { level, metricId, window } = close;
  if (!level) return levels;
  const of = levelOf(metricId, level.filters);
  const known = levels.get(of);
  return known && known.window.end > window.end ? levels : new Map(levels).set(of, periodCountOf(close));
}

/** Undefined: the count is one from before closes kept their level, or of another kind of metric. */
export function baseOf(close: PeriodCount): GaugeCheckpoint | undefined {
  const { level, closeId, window, sealedUpTo, eventCount, digest } = close;
  if (!level) return undefined;
  const { reached, absentValues } = level;
  return { closeId, end: window.end, sealedUpTo, level: reached, eventCount, absentValues, digest };
}

/** Finds the checkpoint that a count up to an instant continues from; late usage is counted on top. */
export function checkpointUpTo(
  levels: GaugeCheckpoints,
  metricId: Uuid,
  filters: readonly SubscriptionFilter[],
  end: Instant,
): GaugeCheckpoint | undefined {
  const close = levels.get(levelOf(metricId, filters));
  return close && close.window.end <= end ? baseOf(close) : undefined;
}
