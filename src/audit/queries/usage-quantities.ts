import { Injectable } from '@nestjs/common';
import type { ClosedUsagePeriod, InvoiceLine } from '../../billing/accounts/domain/event-data.js';
import { recountsOf } from '../../billing/rating/recounted-usage.js';
import type { RunTerm } from '../../billing/rating/run.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CountCaller } from '../../metering/requested-counts.js';
import { UsageSteps, type GaugeSteps, type RateWindow } from '../../metering/usage-steps.js';

/** Steps to the quantity of a count; null for another type of metric. */
export interface QuantitySteps {
  readonly rate: RateWindow | null;
  readonly gauge: GaugeSteps | null;
}

interface CountedLines {
  readonly lines: readonly InvoiceLine[];
  /** Members of the run that computed the lines. */
  readonly terms: readonly RunTerm[];
  /** Counts of the account by id. */
  readonly closedPeriods: ReadonlyMap<Uuid, ClosedUsagePeriod>;
}

/** Explains the quantities of rates and gauges from the stored events, at the watermarks of their counts. */
@Injectable()
export class UsageQuantities {
  constructor(private readonly steps: UsageSteps) {}

  /** Returns the steps to the quantities of the counts that lines name, by the id of the count; a counter has none. */
  async of(
    { lines, terms, closedPeriods }: CountedLines,
    caller: CountCaller,
  ): Promise<ReadonlyMap<Uuid, QuantitySteps>> {
    const named = new Set(
      lines.flatMap(({ explanation }) => [explanation.closeId ?? '', explanation.previousCloseId ?? '']),
    );
    const periods = [...named].flatMap((closeId) => closedPeriods.get(closeId) ?? []);
    const found = new Map<Uuid, QuantitySteps>();
    for (const { closedPeriod, request } of recountsOf(caller.org, periods, terms, closedPeriods).recounts) {
      const { metricType } = request.definition;
      if (metricType === 'counter') continue;
      const isRate = metricType === 'rate';
      found.set(closedPeriod.closeId, {
        rate: isRate ? await this.steps.rateWindow(request, caller) : null,
        gauge: isRate ? null : await this.steps.gaugeSteps(request, caller),
      });
    }
    return found;
  }
}
