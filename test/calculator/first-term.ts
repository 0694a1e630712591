import { stretchAt } from './calendar.js';
import type { History, Step } from './history.js';
import { periodGrid, type Term } from './terms.js';

/** The term that a new subscription begins with (docs/billing.md#terms-and-periods). */
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
  const units = prices.components.flatMap(({ metric, prepaid_charge: prepaid }) =>
    prepaid
      ? [{ at: start, metric, units: prepaid.units, isChange: false, settledAtEnd: false, waits: false }]
      : [],
  );
  return {
    ...{ id, subscription, plan, filters, prices, start, zone, grid, units, autoRenew, ownStart: start },
    end: end_date ? Date.parse(end_date) : stretchAt(grid, start).end,
    ...{ renewal: false, endMoved: false, cut: null, before: null, addon: null, addons: [] },
    ...{ basis: organization.proration_basis, moved: new Set<string>() },
  };
}
