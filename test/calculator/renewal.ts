import { stretchAt } from './calendar.js';
import type { History } from './history.js';
import { compare, decimal } from './rational.js';
import { periodsOf, resetOf, type TakenOver, type Term } from './terms.js';

/** The next term: it begins where the last ends, with its anchor (billing.md section 9). */
export function renewed(term: Term, history: History, id: number): Term {
  const { end: start, grid } = term;
  const prices = history.plans[term.plan]!;
  const units = prices.components.flatMap(({ metric, prepaid_charge: prepaid }) => {
    if (!prepaid) return [];
    const latest = term.units.findLast((change) => change.metric === metric)?.units ?? prepaid.units;
    return [{ at: start, metric, units: latest, isChange: false, settledAtEnd: false }];
  });
  return {
    ...term,
    ...{ id, prices, start, units, end: stretchAt(grid, start).end, renewal: true },
    ...{ endMoved: false, cut: null, moved: new Set<string>(), before: insidePeriod(term) },
  };
}

/** After an end that was set inside a period the rest of it follows: what is measured by the period goes on. */
function insidePeriod(term: Term): TakenOver | null {
  const period = periodsOf(term).at(-1)!;
  if (period.end === period.full.end) return null;
  const { end: at, prices, start, before } = term;
  const isFirst = period.start === start;
  const fees = prices.recurring_charges
    .filter((charge) => charge.charge_behavior === 'prorate' && resetOf(charge) === null)
    .map(({ amount }, place) => ({
      amount,
      interval: null,
      since: isFirst ? sinceOf(amount, place) : period.start,
    }));
  function sinceOf(amount: string, place: number): number {
    const like = (before?.fees ?? []).filter((fee) => compare(decimal(fee.amount), decimal(amount)) === 0);
    return like[Math.min(place, like.length - 1)]?.since ?? start;
  }
  const said = prices.price_adjustment;
  const adjustment = said && {
    type: said.price_adjustment_type,
    amount: said.price_adjustment_amount,
    since: isFirst ? (before?.adjustment?.since ?? start) : period.start,
  };
  return { termStart: at, periodStart: at, billedAt: at, fees, adjustment, usage: new Map() };
}
