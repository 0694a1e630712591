import { renewedAddons } from './addons.js';
import { stretchAt } from './calendar.js';
import type { History } from './history.js';
import { insidePeriod } from './taken-over.js';
import { periodGrid, type Term } from './terms.js';

/** The next term, on its plan or the replacement: it begins where the last ends, with its anchor (docs/billing.md#renewals). */
export function renewed(term: Term, plan: string, history: History, id: () => number): Term {
  const { end: start } = term;
  const prices = history.plans[plan]!;
  // After a switch the new plan's own days begin to count.
  const isSwitched = term.before !== null && !term.renewal;
  const hasDays = prices.day_anchor !== null || prices.month_anchor !== null;
  const grid = isSwitched && hasDays ? periodGrid(start, term.zone, prices) : term.grid;
  const units = prices.components.flatMap(({ metric, prepaid_charge: prepaid }) => {
    if (!prepaid) return [];
    const latest = term.units.findLast((change) => change.metric === metric)?.units ?? prepaid.units;
    return [{ at: start, metric, units: latest, isChange: false, settledAtEnd: false, waits: false }];
  });
  return {
    ...term,
    ...{
      id: id(),
      plan,
      prices,
      start,
      units,
      addons: renewedAddons(term, history, id),
      grid,
      end: stretchAt(grid, start).end,
      renewal: true,
    },
    ...{
      endMoved: false,
      cut: null,
      moved: new Set<string>(),
      before: grid === term.grid ? insidePeriod(term) : null,
    },
  };
}
