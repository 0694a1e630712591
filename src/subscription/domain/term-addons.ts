import { DomainError } from '../../kernel/errors.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import type { NamedMetric, Term, TermAddon } from './events.js';

type WithAddons = Pick<Term, 'addons'>;

export const addonsOf = ({ addons = [] }: WithAddons): readonly TermAddon[] => addons;

/** Add-ons that were not cancelled: they end with the term. */
export const runningAddons = (term: WithAddons): TermAddon[] =>
  addonsOf(term).filter(({ cancelled }) => cancelled === undefined);

/** Add-ons of a renewal, from its start on: one_time add-ons end with their term (docs/billing.md#renewals). */
export function renewedAddons(term: Pick<Term, 'addons' | 'end'>, commandId: Uuid): WithAddons {
  const addons = runningAddons(term)
    .filter(({ billingFrequency }) => billingFrequency === 'recurring')
    .map(({ endMoved: _, ...addon }) => ({
      ...addon,
      addonSubscriptionId: derivedId(commandId, `addon ${addon.addonSubscriptionId}`),
      start: term.end,
      renewed: true,
    }));
  return addons.length > 0 ? { addons } : {};
}

/**
 * A switch moves what runs to the new term as it is, with its id and its start: what it was billed stays billed. What was
 * cancelled before stays on the old one.
 * @param endMoved whether the end of the old term was moved, which the new one does not know
 */
export function switchedAddons(
  term: WithAddons,
  endMoved = false,
): { readonly moved: WithAddons; readonly left: WithAddons } {
  const moved = runningAddons(term).map((addon) => (endMoved ? { ...addon, endMoved } : addon));
  if (moved.length === 0) return { moved: {}, left: term.addons ? { addons: term.addons } : {} };
  return { moved: { addons: moved }, left: { addons: addonsOf(term).filter((addon) => addon.cancelled) } };
}

/** Usage is counted once in a subscription. @throws DomainError `invalid_operation` naming a metric that both have */
export function requireOwnMetrics(
  addons: readonly Pick<TermAddon, 'name' | 'metrics'>[],
  others: readonly NamedMetric[],
): void {
  const taken = new Set(others.map(({ metricId }) => metricId));
  for (const { name, metrics } of addons) {
    const shared = metrics.find(({ metricId }) => taken.has(metricId));
    if (!shared) continue;
    throw new DomainError(
      'invalid_operation',
      `The add-on ${name} counts by the metric ${shared.metricName}, which is counted in this subscription already.`,
    );
  }
}
