import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { LateUsage } from '../../metering/late-usage.js';
import { UsageReader } from '../../metering/usage-reader.js';
import { UsageSealer } from '../../metering/usage-sealer.js';
import type { CountedUsage, RunData, UsageNeed } from '../rating/run.js';
import { windowsWithLateUsage } from '../late-usage/late-windows.js';
import { closedWindows, usageNeeded, type RunSchedules } from '../rating/usage-needs.js';

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
