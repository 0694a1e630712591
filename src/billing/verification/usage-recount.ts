import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { UsageEvidence } from '../../metering/usage-evidence.js';
import { UsageAuditor } from '../../metering/usage-auditor.js';
import type { CountRequest } from '../../metering/usage-reader.js';
import type { ClosedUsagePeriod } from '../accounts/domain/event-data.js';
import {
  differenceOf,
  precedingGaugeCounts,
  baseMismatches,
  recountsOf,
  type Difference,
  type RecountRequest,
} from '../rating/recounted-usage.js';
import type { RunTerm } from '../rating/run.js';
import { describeAlteredEvents } from '../../metering/domain/counter.js';

/** The part of an account that a recount needs. */
export interface CountedBefore {
  /** All closed usage periods by id, in the order of the log, with those that counts continue. */
  readonly closedPeriods: ReadonlyMap<Uuid, ClosedUsagePeriod>;
  /**
   * Differences of counts that later counts continue. Many invoices depend on one such count, which is counted once.
   */
  readonly found: DifferenceCache;
  /** True to check the batches of the counted events; false if the caller checks all batches. */
  readonly withBatches: boolean;
}

/** Differences by id of the closed usage period. */
export type DifferenceCache = Map<Uuid, Promise<Difference>>;

const MAX_REMEMBERED = 10_000;

/** Counts usage again as it was counted for an invoice, at the watermark of that time, and reports differences. */
@Injectable()
export class UsageRecount {
  constructor(
    private readonly auditor: UsageAuditor,
    private readonly evidence: UsageEvidence,
  ) {}

  /**
   * Returns sentences for an auditor, none if every count is right.
   * @param terms the terms that the counts belong to
   */
  async differences(
    org: Uuid,
    periods: readonly ClosedUsagePeriod[],
    terms: readonly RunTerm[],
    before: CountedBefore,
  ): Promise<string[]> {
    const { recounts: known, unknown } = recountsOf(org, periods, terms, before.closedPeriods);
    const differences = [...unknown];
    const counts = await this.auditor.countMany(known.map(({ request }) => request));
    const found: [RecountRequest, Difference][] = known.map((one, index) => [
      one,
      differenceOf(one, counts[index]!),
    ]);
    for (const one of precedingGaugeCounts(known, before.closedPeriods))
      found.push([one, await this.levelDifference(one, before)]);
    const asked = new Set<string>();
    const isContinued = found.some(([{ closedPeriod }]) => closedPeriod.level);
    const order = new Map(
      isContinued ? [...before.closedPeriods.keys()].map((closeId, index) => [closeId, index]) : [],
    );
    for (const [one, { count, events }] of found) {
      differences.push(...baseMismatches(one, before.closedPeriods, order), ...count, ...events);
      if (count.length > 0) differences.push(...(await this.differingEvents(one.request, asked)));
    }
    if (before.withBatches) {
      for (const one of known) differences.push(...(await this.evidence.batchesOf(inWindow(one))));
    }
    return [...new Set(differences)];
  }

  /** Counts the deltas alone: later counts continue the level only. */
  private levelDifference(one: RecountRequest, { found }: CountedBefore): Promise<Difference> {
    const { closeId } = one.closedPeriod;
    let difference = found.get(closeId);
    if (!difference) {
      if (found.size >= MAX_REMEMBERED) found.clear();
      difference = this.auditor.countDeltas([one.request]).then(([count]) => {
        const { quantity: level, ...evidence } = count!;
        return differenceOf(one, { ...evidence, level, quantity: one.closedPeriod.quantity });
      });
      difference.catch(() => found.delete(closeId));
      found.set(closeId, difference);
    }
    return difference;
  }

  /** Names altered events, or altered batches if the events are unknown. */
  private async differingEvents(request: CountRequest, asked: Set<string>): Promise<string[]> {
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

/**
 * Returns the span whose events are checked: a rate also counts events before its window, while earlier counts cover
 * those of a gauge.
 */
const inWindow = ({ closedPeriod, request }: RecountRequest): CountRequest =>
  request.definition.metricType === 'rate' ? { ...request, window: closedPeriod.reading } : request;
