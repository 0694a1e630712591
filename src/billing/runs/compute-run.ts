import { derivedId, type Uuid } from '../../kernel/ids.js';
import type { SubscriptionEvent } from '../../subscription/domain/events.js';
import { Injectable } from '@nestjs/common';
import { LateUsage } from '../../metering/late-usage.js';
import { UsageReader } from '../../metering/usage-reader.js';
import { UsageSealer } from '../../metering/usage-sealer.js';
import type { CountedUsage, RunData, UsageNeed } from '../rating/run.js';
import { windowsWithLateUsage } from '../late-usage/late-usage-scan.js';
import { closedWindows, type RunSchedules, scheduleSteps, usageNeeded } from '../rating/usage-needs.js';
import { doStepsYielding } from '../../platform/concurrency/long-work.js';
import { invoiceSteps } from '../rating/compute-invoice.js';
import type { RunResult } from './domain/run-result.js';

/**
 * Seals and counts the usage that a run needs, then computes the run. Over many terms, as after a bulk change, others go
 * on between the steps.
 * @param left set for a run that is not recorded: it counts within its organization's share, until this aborts
 * @throws DomainError `amount_out_of_range`
 */
export async function computeRun(
  usage: Pick<UsageCounter, 'count'>,
  data: RunData,
  left?: AbortSignal,
): Promise<RunResult> {
  const schedules = await doStepsYielding(data.org, scheduleSteps(data));
  const counted = await usage.count(data.org, data, schedules, left);
  return doStepsYielding(data.org, invoiceSteps(data, counted, schedules));
}

/** Counts the usage that a run needs, at one watermark for all counts. */
@Injectable()
export class UsageCounter {
  constructor(
    private readonly sealer: UsageSealer,
    private readonly reader: UsageReader,
    private readonly late: LateUsage,
  ) {}

  /**
   * Seals what has come in so far and counts it: needed windows, then closed windows with late usage.
   * @param left set for a run that is not recorded: it counts within its organization's share, until this aborts
   */
  async count(org: Uuid, run: RunData, schedules: RunSchedules, left?: AbortSignal): Promise<CountedUsage[]> {
    const needs = usageNeeded(run, schedules);
    const closed = closedWindows(run, schedules);
    if (needs.length === 0 && closed.length === 0) return [];
    const sealedUpTo = await this.sealer.seal(org);
    const late = await windowsWithLateUsage(this.late, org, run.customerKey, closed, sealedUpTo);
    return this.countUpTo(org, run, [...needs, ...late], sealedUpTo, left);
  }

  private async countUpTo(
    org: Uuid,
    { customerKey }: RunData,
    needs: readonly UsageNeed[],
    sealedUpTo: bigint,
    left?: AbortSignal,
  ): Promise<CountedUsage[]> {
    const counts = await this.reader.countMany(
      needs.map(({ definition, filters, window, basis, base }) => ({
        org,
        customerKey,
        definition,
        filters,
        window,
        sealedUpTo,
        ...(basis && { basis }),
        ...(base && { base }),
      })),
      left && { org, signal: left },
    );
    return needs.map(({ subscriptionId, metricId, filters, window, reading, base }, index) => {
      const { level: reached, ...count } = counts[index]!;
      return {
        subscriptionId,
        metricId,
        window,
        reading,
        sealedUpTo: sealedUpTo.toString(),
        ...count,
        ...(reached !== undefined && { level: { reached, filters, after: base?.closeId ?? null } }),
      };
    });
  }
}

type EventType = SubscriptionEvent['type'];

/** Names the policy that bills what an event of one subscription changes; a run's id derives from the name. */
export const RUN_ROLES = {
  AddonAttached: 'bill-addon',
  AddonCancelled: 'bill-addon',
  PrepaidUnitsChanged: 'bill-changed-units',
  SubscriptionCancelled: 'bill-cancelled-subscription',
  SubscriptionStarted: 'bill-new-subscription',
  SubscriptionSwitched: 'bill-switched-subscription',
} as const satisfies Partial<Record<EventType, string>>;

export const runRoleOf = (type: EventType): string | undefined =>
  (RUN_ROLES as Partial<Record<EventType, string>>)[type];

/** @param commandId of the command that bills */
export const runIdOf = (commandId: Uuid): Uuid => derivedId(commandId, 'run');
