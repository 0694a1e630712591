import type { Uuid } from '../kernel/ids.js';
import { toMicros, type Instant } from '../kernel/instant.js';
import { fullPeriodOf, type Anchor, type Interval, type Period } from '../kernel/period.js';

/** Everything a term is priced by. It is fixed when the term starts; a setting that changes later never touches it. */
export interface TermBasis {
  readonly planId: Uuid;
  readonly versionId: Uuid;
  readonly contentHash: string;
  readonly currency: string;
  /** IANA zone of the customer, else of the organization, else UTC. */
  readonly zone: string;
  readonly anchor: Anchor;
  /** The plan's duration as an interval: the length of a full period. */
  readonly duration: Interval;
  readonly prorationBasis: 'second' | 'day';
  readonly policy: string;
  /** Start of the subscription itself, set by a switch that keeps usage separate. Absent: the anchor's first start. */
  readonly ownStart?: Instant;
  /** First full period of a renewal after the zone changed: it lies between no two boundaries of the anchor. */
  readonly firstFull?: Period;
  /** Present when the term began inside a billing period of its predecessor (switch, or an end that was set). */
  readonly continues?: CarriedOverProration;
}

/**
 * The part of a predecessor's proration that a term carries on when it begins inside a billing period of that predecessor.
 * A predecessor of zero length passes on its own carried-over proration, so several switches at one instant equal one.
 */
export interface CarriedOverProration {
  /** Start of the first term of the chain: invoicing dates count from it. */
  readonly termStart: Instant;
  /** Start of the running billing period: reset windows count from it. */
  readonly periodStart: Instant;
  /** When the fees that the switch brings about are billed. */
  readonly billedAt: Instant;
  /** Prorated fees of the running window, each with the instant since which it is charged at this price. */
  readonly fees: readonly {
    readonly amount: string;
    readonly resetInterval: Interval | null;
    readonly since: Instant;
  }[];
  readonly adjustment: { readonly type: string; readonly amount: string; readonly since: Instant } | null;
  /** Metrics whose usage the switch transfers, with the starts of their running windows. */
  readonly usage: readonly TransferredUsage[];
}

export interface TransferredUsage {
  readonly metricId: Uuid;
  readonly since: Instant;
  /** Units prepaid on the former plan. They cover usage of the window if the new component has no prepaid units. */
  readonly covered?: string;
}

export interface PrepaidUnits {
  readonly metricId: Uuid;
  /** Decimal text. */
  readonly units: string;
}

/** One change of the prepaid units of a component within a term. */
export interface PrepaidChange extends PrepaidUnits {
  readonly unitsBefore: string;
  readonly effectiveAt: Instant;
  readonly invoiceNow: boolean;
  /** True when the term's end was moved after the change: the rest of the window is then settled at the end, as with fees. */
  readonly settledAtEnd?: boolean;
}

/** The fields of a term that its billing periods and prices depend on. */
export interface PricedTerm {
  readonly start: Instant;
  readonly end: Instant;
  /** Units bought ahead, per prepaid component of the version. */
  readonly prepaidUnits?: readonly PrepaidUnits[];
  readonly basis: TermBasis;
}

/** Event that cut a term short; null while it runs to its agreed end. */
export type TermCut = 'cancelled' | 'switched' | null;

/** Returns the full period that contains an instant. */
export function fullPeriodAt(at: Instant, { firstFull, zone, duration, anchor }: TermBasis): Period {
  if (firstFull && firstFull.start <= at && at < firstFull.end) return firstFull;
  return fullPeriodOf(at, zone, duration, anchor);
}

/** Returns the instant that intervals inside a period count from: its start, or the boundary nearest to it. */
export function countedFrom(start: Instant, { firstFull, zone, duration, anchor }: TermBasis): Instant {
  if (start !== firstFull?.start) return start;
  const around = fullPeriodOf(start, zone, duration, anchor);
  const [before, after] = [around.start, around.end].map(toMicros) as [bigint, bigint];
  return after - toMicros(start) < toMicros(start) - before ? around.end : around.start;
}
