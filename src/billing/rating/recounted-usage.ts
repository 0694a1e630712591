import { canonicalJson } from '../../kernel/canonical-json.js';
import type { Uuid } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import { describeAlteredEvents, type UsageCount } from '../../metering/domain/counter.js';
import type { QuestionFromBase } from '../../metering/domain/usage-base.js';
import { countOfPeriod } from '../accounts/domain/account-charges.js';
import type { ClosedUsagePeriod } from '../accounts/domain/event-data.js';
import { gaugeCheckpointOf } from '../accounts/domain/gauge-checkpoints.js';
import type { RunTerm } from './run.js';
import { usageBasisOf } from './usage-windows.js';

/** A count that is made again, at the watermark of that time. */
export interface RecountRequest {
  readonly closedPeriod: ClosedUsagePeriod;
  readonly metricName: string;
  readonly request: QuestionFromBase & { readonly org: Uuid; readonly sealedUpTo: bigint };
}

/** All closed usage periods of an account by id, in the order of the log. */
type ClosedPeriods = ReadonlyMap<Uuid, ClosedUsagePeriod>;

export interface Difference {
  /** Differences of the count. */
  readonly count: readonly string[];
  /** Events of the count that differ from what was received. */
  readonly events: readonly string[];
}

/** Describes the counts of closed usage periods as questions. @param terms the members of the run they belong to */
export function recountsOf(
  org: Uuid,
  periods: readonly ClosedUsagePeriod[],
  terms: readonly RunTerm[],
  all: ClosedPeriods,
): { readonly recounts: readonly RecountRequest[]; readonly unknown: readonly string[] } {
  const recounts: RecountRequest[] = [];
  const unknown: string[] = [];
  for (const closedPeriod of periods) {
    const term = terms.find((candidate) => isOf(candidate, closedPeriod));
    const component = term?.content.components.find(({ metricId }) => metricId === closedPeriod.metricId);
    if (!term || !component) {
      unknown.push(
        `closed usage period ${closedPeriod.closeId} counts a metric that no term of the invoice has`,
      );
      continue;
    }
    const request = {
      org,
      customerKey: term.term.customerKey,
      definition: component.metric,
      filters: term.term.filters,
      window: closedPeriod.window,
      sealedUpTo: BigInt(closedPeriod.sealedUpTo),
      ...(closedPeriod.period && { basis: usageBasisOf(component, closedPeriod.period, term.term) }),
    };
    recounts.push({
      closedPeriod,
      metricName: component.metricName,
      request: withBase(request, closedPeriod, all),
    });
  }
  return { recounts, unknown };
}

/** Tells whether a count belongs to a member of a run: after a switch moved an add-on, another term counts it. */
const isOf = (
  { term, addon }: RunTerm,
  { subscriptionId, addonSubscriptionId }: ClosedUsagePeriod,
): boolean =>
  addonSubscriptionId === undefined
    ? !addon && term.subscriptionId === subscriptionId
    : addon?.addonSubscriptionId === addonSubscriptionId;

/** Lets the recount continue the checkpoint that the count continued. */
function withBase(
  { base: _, ...request }: RecountRequest['request'],
  closedPeriod: ClosedUsagePeriod,
  closedPeriods: ClosedPeriods,
): RecountRequest['request'] {
  const before = closedPeriod.level?.after && closedPeriods.get(closedPeriod.level.after);
  const base = before && gaugeCheckpointOf(countOfPeriod(before));
  return { ...request, ...(base && { base }) };
}

/** Lists the counts that these continue, each once, back to those that read every delta. */
export function precedingGaugeCounts(
  known: readonly RecountRequest[],
  closedPeriods: ClosedPeriods,
): RecountRequest[] {
  const seen = new Set(known.map(({ closedPeriod }) => closedPeriod.closeId));
  return known.flatMap((one) => {
    const found: RecountRequest[] = [];
    for (let { level } = one.closedPeriod; level?.after && !seen.has(level.after);) {
      seen.add(level.after);
      const closedPeriod = closedPeriods.get(level.after);
      if (!closedPeriod) break;
      const { window, sealedUpTo } = closedPeriod;
      const request = { ...one.request, window, sealedUpTo: BigInt(sealedUpTo) };
      found.push({ ...one, closedPeriod, request: withBase(request, closedPeriod, closedPeriods) });
      level = closedPeriod.level;
    }
    return found;
  });
}

/** Checks that a count continues an earlier count of the same deltas. */
export function baseMismatches(
  { closedPeriod, request }: RecountRequest,
  closedPeriods: ClosedPeriods,
  order: ReadonlyMap<Uuid, number>,
): string[] {
  const { closeId, level, metricId, window, sealedUpTo } = closedPeriod;
  if (!level) return [];
  const filters = canonicalJson(request.filters);
  const isOther = canonicalJson(level.filters) !== filters;
  if (isOther) return [`closed usage period ${closeId} has the level of other usage than it counts`];
  if (level.after === null) return [];
  const before = closedPeriods.get(level.after);
  if (!before)
    return [`closed usage period ${closeId} continues ${level.after}, which the account does not have`];
  const fits =
    order.get(before.closeId)! < order.get(closeId)! &&
    before.metricId === metricId &&
    canonicalJson(before.level?.filters ?? null) === filters &&
    before.window.end <= window.end &&
    BigInt(before.sealedUpTo) <= BigInt(sealedUpTo);
  return fits ? [] : [`closed usage period ${closeId} continues ${level.after}, which is no part of it`];
}

const COMPARED = ['quantity', 'eventCount', 'absentValues', 'digest', 'level'] as const;

/** Compares a count with the closed usage period that stored it. */
export function differenceOf({ closedPeriod, metricName }: RecountRequest, count: UsageCount): Difference {
  const { closeId, window, level } = closedPeriod;
  const stored = { ...closedPeriod, level: level?.reached };
  const differing = COMPARED.filter(
    (field) => (field !== 'level' || level) && stored[field] !== count[field],
  );
  return {
    count: differing.map(
      (field) =>
        `usage of ${JSON.stringify(metricName)} from ${formatInstant(window.start)} to ${formatInstant(window.end)} (closed usage period ${closeId}): ${field} stored ${stored[field]}, counted ${count[field]}`,
    ),
    events: count.altered ? [...describeAlteredEvents(count.altered)] : [],
  };
}
