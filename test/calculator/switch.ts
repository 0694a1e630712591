import { movedAddons } from './addons.js';
import { localDay, type Ms } from './calendar.js';
import type { History } from './history.js';
import { carriedOverBySwitch } from './carried-over.js';
import { periodsOf, unitsAt, type Term } from './terms.js';

interface CompletedSwitch {
  readonly at: Ms;
  readonly isNow: boolean;
  readonly usage: 'transfer_to_new_subscription' | 'keep_separate';
}

/** The term on the new plan: it takes over end, anchor and full period of the old one. */
export function switched(
  term: Term,
  plan: string,
  { at, isNow, usage }: CompletedSwitch,
  history: History,
  id: number,
): Term {
  const prices = history.plans[plan]!;
  const period = periodsOf(term).find(({ end }) => at < end)!;
  const transfers = usage === 'transfer_to_new_subscription';
  return {
    ...term,
    id,
    plan,
    prices,
    start: at,
    units: unitsAt(at, prices, term.units),
    secondsUntil: term.secondsUntil,
    firstDay: Math.max(term.firstDay, localDay(at, term.zone)),
    renewal: false,
    endMoved: false,
    cut: null,
    moved: new Set(),
    // Kept separate, the new subscription starts at no usage (docs/contract.md#switch-a-plan).
    ownStart: transfers ? term.ownStart : at,
    addons: movedAddons(term),
    carriedOver: carriedOverBySwitch(term, at, transfers, isNow ? at : period.end),
  };
}
