import { renewedAddons } from './addons.js';
import { stretchAt } from './calendar.js';
import type { History } from './history.js';
import { carriedOverInPeriod } from './carried-over.js';
import { firstFullIn, periodGrid } from './period-grid.js';
import { dayAfter, periodsOf, secondsBefore, unitsAt, type Term } from './terms.js';

/**
 * Returns the next term, on the same plan or its replacement. It starts at the end of the last one and keeps its
 * anchor, also in another time zone (docs/billing.md#renewals).
 */
export function renewed(term: Term, plan: string, history: History, id: () => number): Term {
  const { end: start } = term;
  const { proration_basis: basis } = history.organization;
  const { timezone: zone } = history.customer;
  const prices = history.plans[plan]!;
  // After a switch the anchors of the new plan apply from the first renewal.
  const isSwitched = term.carriedOver !== null && !term.renewal;
  const hasDays = prices.day_anchor !== null || prices.month_anchor !== null;
  const kept = zone === term.zone ? term.grid : { ...term.grid, zone };
  const grid = isSwitched && hasDays ? periodGrid(start, zone, prices) : kept;
  const { end, full } = periodsOf(term).at(-1)!;
  const continued = grid === term.grid && end < full.end ? full : null;
  const own = firstFullIn(grid, term.zone, start);
  // A term that continues the first full period in another zone has the rest of that period.
  const firstFull = own ?? (continued === term.firstFull ? continued : null);
  return {
    ...term,
    id: id(),
    plan,
    prices,
    start,
    units: unitsAt(start, prices, term.units),
    addons: renewedAddons(term, continued, history, id),
    zone,
    firstDay: dayAfter(term, zone),
    basis,
    secondsUntil: secondsBefore(term, continued, basis),
    grid,
    firstFull,
    end: (firstFull ?? stretchAt(grid, start)).end,
    renewal: true,
    endMoved: false,
    cut: null,
    moved: new Set<string>(),
    carriedOver: continued && carriedOverInPeriod(term),
  };
}
