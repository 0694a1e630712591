import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { latest, plusMicros } from '../../kernel/instant.js';
import { OLDEST_EVENT } from '../../metering/domain/usage-base.js';
import { LateUsage } from '../../metering/late-usage.js';
import { UsageReader } from '../../metering/usage-reader.js';
import { UsageSealer } from '../../metering/usage-sealer.js';
import type { CountedUsage, RunData, UsageNeed } from '../rating/run.js';
import { closedWindows, usageNeeded, type ClosedWindow, type RunSchedules } from '../rating/usage-needs.js';

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
   * @param left of a request that shows a run and does not record it: it counts within its organization's share
   */
  async count(org: Uuid, run: RunData, schedules: RunSchedules, left?: AbortSignal): Promise<CountedUsage[]> {
    const needs = usageNeeded(run, schedules);
    const closed = closedWindows(run, schedules);
    if (needs.length === 0 && closed.length === 0) return [];
    const sealedUpTo = await this.sealer.seal(org);
    const late = await this.lateAmong(org, run, closed, sealedUpTo);
    return this.countUpTo(org, run, [...needs, ...late], sealedUpTo, left);
  }

  private async lateAmong(
    org: Uuid,
    { customerKey }: RunData,
    closed: readonly ClosedWindow[],
    sealedUpTo: bigint,
  ): Promise<UsageNeed[]> {
    const open = closed.filter(({ close }) => BigInt(close.sealedUpTo) < sealedUpTo);
    if (open.length === 0) return [];
    const readings = open.map(({ need: { definition, reading }, close }) => ({
      customerKey,
      eventName: definition.eventName,
      from: latest(reading.start, plusMicros(reading.end, -OLDEST_EVENT)),
      to: reading.end,
      countedUpTo: close.sealedUpTo,
    }));
    const late = await this.late.firstReceived(org, readings);
    return open.flatMap(({ need }, place) => (late.has(place) ? [need] : []));
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
