import { canonicalJson } from '../../../kernel/canonical-json.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { UsageBase } from '../../../metering/domain/usage-base.js';
import type { SubscriptionFilter } from '../../../subscription/domain/events.js';
import { countOfPeriod } from './account-charges.js';
import type { PeriodCount, ClosedUsagePeriod } from './event-data.js';

/** A count of a gauge that a later count of it continues. */
export type GaugeCheckpoint = UsageBase & { readonly closeId: Uuid };

/** The checkpoint that reaches furthest, by metric and filters. */
export type GaugeCheckpoints = ReadonlyMap<string, PeriodCount>;

/** A metric never changes, so metric and filters name the deltas that move a level. */
const keyOf = (metricId: Uuid, filters: readonly SubscriptionFilter[]): string =>
  `${metricId} ${canonicalJson(filters)}`;

export function withGaugeCheckpoint(
  checkpoints: GaugeCheckpoints,
  closedPeriod: ClosedUsagePeriod,
): GaugeCheckpoints {
  const { level, metricId, window } = closedPeriod;
  if (!level) return checkpoints;
  const key = keyOf(metricId, level.filters);
  const known = checkpoints.get(key);
  return known && known.window.end > window.end
    ? checkpoints
    : new Map(checkpoints).set(key, countOfPeriod(closedPeriod));
}

/** Returns undefined for a count without a level: of another kind of metric, or of a release that did not keep it. */
export function gaugeCheckpointOf(count: PeriodCount): GaugeCheckpoint | undefined {
  const { level, closeId, window, sealedUpTo, eventCount, digest } = count;
  if (!level) return undefined;
  const { reached, absentValues } = level;
  return { closeId, end: window.end, sealedUpTo, level: reached, eventCount, absentValues, digest };
}

/** Finds the checkpoint that a count up to an instant continues; late events before it are counted on top. */
export function gaugeCheckpointUpTo(
  checkpoints: GaugeCheckpoints,
  metricId: Uuid,
  filters: readonly SubscriptionFilter[],
  end: Instant,
): GaugeCheckpoint | undefined {
  const count = checkpoints.get(keyOf(metricId, filters));
  return count && count.window.end <= end ? gaugeCheckpointOf(count) : undefined;
}
