import { localDay, stretchAt } from './calendar.js';
import type { History, Step } from './history.js';
import { periodGrid } from './period-grid.js';
import { unitsAt, type Term } from './terms.js';

/** Returns the first term of a subscription (docs/billing.md#terms-and-periods). */
export function firstTerm(
  step: Extract<Step, { readonly do: 'subscribe' }>,
  { plans, customer, organization }: History,
  id: number,
): Term {
  const { subscription, plan, start_date, end_date, auto_renew: autoRenew } = step;
  const { subscription_filters: filters = [] } = step;
  const prices = plans[plan]!;
  const start = Date.parse(start_date);
  const zone = customer.timezone;
  const grid = periodGrid(start, zone, prices);
  return {
    id,
    subscription,
    plan,
    filters,
    prices,
    start,
    zone,
    grid,
    firstFull: null,
    units: unitsAt(start, prices),
    autoRenew,
    ownStart: start,
    firstDay: localDay(start, zone),
    secondsUntil: null,
    end: end_date ? Date.parse(end_date) : stretchAt(grid, start).end,
    renewal: false,
    endMoved: false,
    cut: null,
    carriedOver: null,
    addon: null,
    addons: [],
    basis: organization.proration_basis,
    moved: new Set<string>(),
  };
}
