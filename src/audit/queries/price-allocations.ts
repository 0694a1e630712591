import { sumOfAdjustments } from '../../billing/accounts/domain/account-charges.js';
import type { ClosedUsagePeriod, InvoiceLine } from '../../billing/accounts/domain/event-data.js';
import { periodAllocations, type PeriodAdjustment } from '../../billing/rating/adjustments.js';
import { draftSteps } from '../../billing/rating/compute-invoice.js';
import type { DraftLine } from '../../billing/rating/draft-lines.js';
import type { RunData } from '../../billing/rating/run.js';
import type { RunSchedules } from '../../billing/rating/usage-needs.js';
import type { Instant } from '../../kernel/instant.js';
import { doSteps } from '../../kernel/iteration.js';
import { minorOf, sumMoney, type Money } from '../../kernel/money.js';
import type { Quantity } from '../../kernel/quantity.js';
import { prorationFactor } from '../../pricing/proration.js';
import type { Allocation } from './tax-allocations.js';

/** Share of a price adjustment that is given once per billing period. */
export interface PriceAllocation extends Allocation {
  /** Adjustment that the line carries back of a charge that it reduces: it is no part of the total. */
  readonly carriedBack: Money;
  /** `amount` is the difference of the rounded products of the figure with both factors. */
  readonly ofPeriod: PeriodAdjustment & { readonly before: Quantity; readonly upTo: Quantity };
}

interface Run {
  readonly data: RunData;
  readonly schedules: RunSchedules;
  /** Counts that the run made. */
  readonly counts: readonly ClosedUsagePeriod[];
}

/**
 * Computes again, from the inputs as the run read them, how the price adjustments of an invoice were calculated that are
 * given once per billing period (docs/billing.md#price-adjustments). An adjustment that comes out as another has no entry.
 */
export function priceAllocations(
  lines: readonly InvoiceLine[],
  { data, schedules, counts }: Run,
): ReadonlyMap<InvoiceLine, PriceAllocation> {
  const found = new Map<InvoiceLine, PriceAllocation>();
  if (!schedules.some(({ runTerm }) => isGivenOnce(runTerm.content.priceAdjustment))) return found;
  const newPeriods = new Map(counts.map((count) => [count.chargeKey, count]));
  const drafts = doSteps(draftSteps(data, schedules, newPeriods));
  if (!drafts.every((draft, index) => isDraftOf(draft, lines[index]))) return found;
  const { account, currency } = data;
  for (const { period, members, carried, rest, shares } of periodAllocations(drafts, account, currency)) {
    const charging = members.filter(({ line }) => minorOf(line.base) > 0n);
    const sharing = charging.length > 0 ? charging : members;
    const base = sumMoney(
      currency,
      sharing.map(({ line }) => line.base),
    );
    members.forEach(({ index, line: { base: ownBase, runTerm } }, at) => {
      const line = lines[index]!;
      if (sumOfAdjustments('plan_adjustment', line) !== minorOf(shares[at]!)) return;
      const { since } = period;
      const upTo = (end: Instant) => prorationFactor({ start: since, end }, period.period.full, runTerm);
      found.set(line, {
        total: rest,
        base,
        ownBase,
        lines: sharing.map((member) => member.index),
        carriedBack: carried[at]!,
        ofPeriod: { ...period, before: upTo(period.period.start), upTo: upTo(period.period.end) },
      });
    });
  }
  return found;
}

const isGivenOnce = (adjustment: { readonly type: string } | null): boolean =>
  adjustment !== null && adjustment.type !== 'percentage';

const isDraftOf = ({ item, base }: DraftLine, line: InvoiceLine | undefined): boolean =>
  line?.chargeKey === item.chargeKey && BigInt(line.base.amount) === minorOf(base);
