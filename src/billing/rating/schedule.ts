import type { PlanComponent, PriceContent, RecurringCharge } from '../../catalog/domain/price-content.js';
import { MINUTE, plusMicros } from '../../kernel/instant.js';
import type { Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import { chargeKeyPrefix } from '../domain/account-state.js';
import { billingPeriodsOf, invoicingDateOf, invoicingDatesOf, resetWindowsOf } from './billing-periods.js';
import type { BillingPeriod } from './billing-periods.js';
import type { RunTerm } from './run.js';

/** What is charged: a recurring charge, the prepaid units of a component, or its usage. `index` is its place in the plan. */
export type ChargeSource =
  | { readonly kind: 'recurring'; readonly index: number; readonly charge: RecurringCharge }
  | { readonly kind: 'prepaid' | 'usage'; readonly index: number; readonly component: PlanComponent };

/** One thing that falls due: a charge or a component over a window of a term. */
export interface ScheduledItem {
  /** Term, billing period, charge or component, window: desired minus billed is kept per key. */
  readonly chargeKey: string;
  readonly source: ChargeSource;
  readonly period: BillingPeriod;
  /** The part of the window that is charged: all of it, or up to an intermediate invoicing date. */
  readonly segment: Period;
  /** The full interval that the window is a part of: what a fraction is measured against. */
  readonly full: Period;
  readonly dueAt: Instant;
  /** Whether it waits for the late-event grace. */
  readonly graced: boolean;
  readonly billingType: 'in_advance' | 'in_arrears' | 'intermediate';
}

export interface NextDue {
  readonly at: Instant;
  readonly graced: boolean;
}

/** A term as far as its schedule depends on it. */
export type ScheduledTerm = Pick<RunTerm, 'term' | 'renewal' | 'cut' | 'content' | 'periodsBegunBy'>;

export interface TermSchedule {
  readonly due: readonly ScheduledItem[];
  /** Null: nothing of the term falls due any more. */
  readonly next: NextDue | null;
}

/** The keys of one term and billing period begin with this: a price adjustment is given once for all of them. */
export const periodKeyPrefix = (subscriptionId: string, period: Period): string =>
  `${chargeKeyPrefix(subscriptionId)}${period.start}/`;

/**
 * What of a term is due by `asOf`, in the order of the plan and then of time, and what falls due next.
 * Of a running window that was reached by several invoicing dates only the latest stands: it contains the others.
 */
export function scheduleOf(term: ScheduledTerm, asOf: Instant, graceMinutes: number): TermSchedule {
  const grace = BigInt(graceMinutes) * MINUTE;
  const gracedAsOf = plusMicros(asOf, -grace);
  const { periodsBegunBy: lastBegin } = term;
  const begun = billingPeriodsOf(term.term, asOf);
  const periods = lastBegin === undefined ? begun : begun.filter(({ start }) => start <= lastBegin);
  const due: ScheduledItem[] = [];
  let next: NextDue | null = null;
  for (const source of sourcesOf(term.content)) {
    for (const item of itemsOf(source, term, periods, asOf)) {
      if (item.dueAt > (item.graced ? gracedAsOf : asOf)) {
        next = sooner(next, { at: item.dueAt, graced: item.graced }, grace);
        // A cut has no grace: what it ends can be due while an earlier boundary still waits.
        if (item.dueAt > asOf) break;
        continue;
      }
      if (due.at(-1)?.chargeKey === item.chargeKey) due.pop();
      due.push(item);
    }
  }
  return { due, next };
}

function sourcesOf({ recurringCharges, components }: PriceContent): ChargeSource[] {
  return [
    ...recurringCharges.map((charge, index): ChargeSource => ({ kind: 'recurring', index, charge })),
    ...components.flatMap((component, index): ChargeSource[] => [
      ...(component.prepaid ? [{ kind: 'prepaid' as const, index, component }] : []),
      { kind: 'usage', index, component },
    ]),
  ];
}

/** Everything one source charges in these periods, in the order it falls due, up to the first after `until`. */
function* itemsOf(
  source: ChargeSource,
  term: ScheduledTerm,
  periods: readonly BillingPeriod[],
  until: Instant,
): Generator<ScheduledItem> {
  const { subscriptionId, start, end } = term.term;
  const { resetInterval, invoicingInterval } = source.kind === 'recurring' ? source.charge : source.component;
  const advance = inAdvance(source);
  const dates = advance ? [] : invoicingDatesOf(term.term, invoicingInterval, until);
  for (const period of periods) {
    const prefix = `${periodKeyPrefix(subscriptionId, period)}${sourceKey(source)}/`;
    for (const { window, full } of resetWindowsOf(period, resetInterval, term.term)) {
      const chargeKey = prefix + window.start;
      if (advance) {
        const graced = term.renewal || window.start > start;
        const dueAt = window.start;
        yield { chargeKey, source, period, segment: window, full, dueAt, graced, billingType: 'in_advance' };
        continue;
      }
      if (source.kind === 'usage') {
        for (const dueAt of dates) {
          if (dueAt <= window.start || dueAt >= window.end) continue;
          const segment = { start: window.start, end: dueAt };
          yield {
            chargeKey,
            source,
            period,
            segment,
            full,
            dueAt,
            graced: true,
            billingType: 'intermediate',
          };
        }
      }
      const dueAt = invoicingInterval ? invoicingDateOf(window, invoicingInterval, term.term) : period.end;
      const graced = term.cut === null || dueAt < end;
      yield { chargeKey, source, period, segment: window, full, dueAt, graced, billingType: 'in_arrears' };
    }
  }
}

const inAdvance = (source: ChargeSource): boolean =>
  source.kind === 'prepaid' || (source.kind === 'recurring' && source.charge.timing === 'in_advance');

/** A version's content never changes, so that a place in it names what is charged. */
const sourceKey = (source: ChargeSource): string =>
  source.kind === 'recurring' ? `charge.${source.index}` : `${source.kind}.${source.component.metricId}`;

function sooner(a: NextDue | null, b: NextDue, grace: bigint): NextDue {
  if (a === null) return b;
  if (a.graced === b.graced) return a.at <= b.at ? a : b;
  const effective = ({ at, graced }: NextDue) => (graced ? plusMicros(at, grace) : at);
  return effective(a) <= effective(b) ? a : b;
}
