import { Injectable } from '@nestjs/common';
import { canonicalJson } from '../../kernel/canonical-json.js';
import type { Uuid } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import type { UsageCount } from '../../metering/domain/counter.js';
import { UsageEvidence } from '../../metering/usage-evidence.js';
import { UsageAuditor } from '../../metering/usage-auditor.js';
import type { CountRequest } from '../../metering/usage-reader.js';
import { describeAlteredEvents } from '../../metering/stored-event.js';
import { countOfPeriod } from '../accounts/domain/account-charges.js';
import { checkpointOf } from '../accounts/domain/gauge-checkpoints.js';
import type { ClosedUsagePeriod } from '../accounts/domain/event-data.js';
import type { RunTerm } from '../rating/run.js';
import { usageBasisOf } from '../rating/usage-windows.js';

interface Recounted {
  readonly close: ClosedUsagePeriod;
  readonly metricName: string;
  readonly request: CountRequest;
}

/** The part of an account that a recount needs. */
export interface CountedBefore {
  /** All closed usage periods by id, in the order of the log, with those that counts continue. */
  readonly closes: ReadonlyMap<Uuid, ClosedUsagePeriod>;
  /** Differences of counts that others continue: many invoices depend on one, and it is counted once. */
  readonly found: DifferenceCache;
  /** Whether to check the batches of the counted events; else the caller checks all batches. */
  readonly withBatches: boolean;
}

/** Differences by id of the closed usage period. */
export type DifferenceCache = Map<Uuid, Promise<Difference>>;

interface Difference {
  /** Differences of the count. */
  readonly count: readonly string[];
  /** Events of the count that are not as they were received. */
  readonly events: readonly string[];
}
const MOST_REMEMBERED = 10_000;

/** Counts usage once more as it was counted for an invoice, at the watermark of that time, and says what differs. */
@Injectable()
export class UsageRecount {
  constructor(
    private readonly auditor: UsageAuditor,
    private readonly evidence: UsageEvidence,
  ) {}

  /** Sentences for an auditor; none when every count stands. @param terms those the counts belong to */
  async differences(
    org: Uuid,
    closes: readonly ClosedUsagePeriod[],
    terms: readonly RunTerm[],
    before: CountedBefore,
  ): Promise<string[]> {
    const differences: string[] = [];
    const known: Recounted[] = [];
    for (const close of closes) {
      const term = terms.find((candidate) => isOf(candidate, close));
      const component = term?.content.components.find(({ metricId }) => metricId === close.metricId);
      if (!term || !component) {
        differences.push(`close ${close.closeId} counts a metric that no term of the invoice has`);
        continue;
      }
      const request: CountRequest = {
        org,
        customerKey: term.term.customerKey,
        definition: component.metric,
        filters: term.term.filters,
        window: close.window,
        sealedUpTo: BigInt(close.sealedUpTo),
        ...(close.period && { basis: usageBasisOf(component, close.period, term.term) }),
      };
      known.push({ close, metricName: component.metricName, request: withBase(request, close, before) });
    }
    const counts = await this.auditor.countMany(known.map(({ request }) => request));
    const found: [Recounted, Difference][] = known.map((one, index) => [
      one,
      differenceOf(one, counts[index]!),
    ]);
    for (const one of levelsBefore(known, before)) found.push([one, await this.levelDifference(one, before)]);
    const asked = new Set<string>();
    const isContinued = found.some(([{ close }]) => close.level);
    const order = new Map(
      isContinued ? [...before.closes.keys()].map((closeId, index) => [closeId, index]) : [],
    );
    for (const [one, { count, events }] of found) {
      differences.push(...misfits(one, before, order), ...count, ...events);
      if (count.length > 0) differences.push(...(await this.culprits(one.request, asked)));
    }
    if (before.withBatches) {
      for (const one of known) differences.push(...(await this.evidence.batchesOf(inWindow(one))));
    }
    return [...new Set(differences)];
  }

  /** Counts the deltas alone: later counts continue the level only. */
  private levelDifference(one: Recounted, { found }: CountedBefore): Promise<Difference> {
    const { closeId } = one.close;
    let difference = found.get(closeId);
    if (!difference) {
      if (found.size >= MOST_REMEMBERED) found.clear();
      difference = this.auditor.countDeltas([one.request]).then(([count]) => {
        const { quantity: level, ...evidence } = count!;
        return differenceOf(one, { ...evidence, level, quantity: one.close.quantity });
      });
      difference.catch(() => found.delete(closeId));
      found.set(closeId, difference);
    }
    return difference;
  }

  /** Names altered events, or altered batches where the events cannot be told. */
  private async culprits(request: CountRequest, asked: Set<string>): Promise<string[]> {
    const { org, customerKey, sealedUpTo } = request;
    const { eventName } = request.definition;
    const question = `${customerKey} ${eventName}`;
    if (asked.has(question)) return [];
    asked.add(question);
    const events = await this.evidence.alteredEvents(org, customerKey, eventName);
    return events.count > 0
      ? [...describeAlteredEvents(events)]
      : this.evidence.alteredBatches(org, sealedUpTo);
  }
}

/** A rate also counts events before its window; a gauge reads all that were before it, which earlier counts counted. */
const inWindow = ({ close, request }: Recounted): CountRequest =>
  request.definition.metricType === 'rate' ? { ...request, window: close.reading } : request;

/** An add-on that a switch moved is counted on by another term. */
const isOf = (
  { term, addon }: RunTerm,
  { subscriptionId, addonSubscriptionId }: ClosedUsagePeriod,
): boolean =>
  addonSubscriptionId === undefined
    ? !addon && term.subscriptionId === subscriptionId
    : addon?.addonSubscriptionId === addonSubscriptionId;

/** Lets the recount continue the checkpoint that the count continued. */
function withBase(
  { base: _, ...request }: CountRequest,
  close: ClosedUsagePeriod,
  { closes }: CountedBefore,
): CountRequest {
  const before = close.level?.after && closes.get(close.level.after);
  const base = before && checkpointOf(countOfPeriod(before));
  return { ...request, ...(base && { base }) };
}

/** Lists the counts that these continue, each once, back to those that read every delta. */
function levelsBefore(known: readonly Recounted[], before: CountedBefore): Recounted[] {
  const seen = new Set(known.map(({ close }) => close.closeId));
  return known.flatMap((one) => {
    const found: Recounted[] = [];
    for (let { level } = one.close; level?.after && !seen.has(level.after);) {
      seen.add(level.after);
      const close = before.closes.get(level.after);
      if (!close) break;
      const { window, sealedUpTo } = close;
      const request = { ...one.request, window, sealedUpTo: BigInt(sealedUpTo) };
      found.push({ ...one, close, request: withBase(request, close, before) });
      level = close.level;
    }
    return found;
  });
}

/** Checks that a count continues an earlier count of the same deltas. */
function misfits(
  { close, request }: Recounted,
  { closes }: CountedBefore,
  order: ReadonlyMap<Uuid, number>,
): string[] {
  const { closeId, level, metricId, window, sealedUpTo } = close;
  if (!level) return [];
  const filters = canonicalJson(request.filters);
  const isOther = canonicalJson(level.filters) !== filters;
  if (isOther) return [`close ${closeId} has the level of other usage than it counts`];
  if (level.after === null) return [];
  const before = closes.get(level.after);
  if (!before) return [`close ${closeId} goes on from close ${level.after}, which the account does not have`];
  const fits =
    order.get(before.closeId)! < order.get(closeId)! &&
    before.metricId === metricId &&
    canonicalJson(before.level?.filters ?? null) === filters &&
    before.window.end <= window.end &&
    BigInt(before.sealedUpTo) <= BigInt(sealedUpTo);
  return fits ? [] : [`close ${closeId} goes on from close ${level.after}, which is no part of it`];
}

const COMPARED = ['quantity', 'eventCount', 'absentValues', 'digest', 'level'] as const;

function differenceOf({ close, metricName }: Recounted, count: UsageCount): Difference {
  const { closeId, window, level } = close;
  const stored = { ...close, level: level?.reached };
  const differing = COMPARED.filter(
    (field) => (field !== 'level' || level) && stored[field] !== count[field],
  );
  return {
    count: differing.map(
      (field) =>
        `usage of ${JSON.stringify(metricName)} from ${formatInstant(window.start)} to ${formatInstant(window.end)} (close ${closeId}): ${field} stored ${stored[field]}, counted ${count[field]}`,
    ),
    events: count.altered ? [...describeAlteredEvents(count.altered)] : [],
  };
}
