import type { IssuedCommand } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import { derivedId } from '../../kernel/ids.js';
import { latest } from '../../kernel/instant.js';
import type { SubscriptionEvent, NamedMetric, TermAddon } from './events.js';
import { requireRunning, type TermState } from './term-state.js';
import { requireOwnMetrics, runningAddons, addonsOf } from './term-periods.js';

/** Add-on to attach, with the metrics that it must not share. */
export interface AddonToAttach {
  readonly addon: Omit<TermAddon, 'addonSubscriptionId' | 'start' | 'renewed' | 'endMoved' | 'cancelled'> & {
    readonly currency: string;
  };
  /** Metrics of the term's plan. */
  readonly planMetrics: readonly NamedMetric[];
}

/**
 * Attaches an add-on from now, or from the start of a term that has not begun, to the end of the term. A repeated
 * command attaches it once.
 * @throws DomainError `resource_not_found`; `invalid_state` once the term is over; `invalid_operation` in another
 *   currency or with a metric that the subscription counts already; `overlapping_plans` while the add-on runs
 */
export function attachAddon(
  { addon: { currency, ...addon }, planMetrics, now, commandId }: IssuedCommand<AddonToAttach>,
  state: TermState | undefined,
): readonly SubscriptionEvent[] {
  const addonSubscriptionId = derivedId(commandId, 'addon subscription');
  if (state && addonsOf(state.term).some((known) => known.addonSubscriptionId === addonSubscriptionId))
    return [];
  const { term } = requireRunning(state, now);
  const { subscriptionId, customerKey, basis } = term;
  if (currency !== basis.currency) {
    throw new DomainError(
      'invalid_operation',
      `This subscription is billed in ${basis.currency}, the add-on in ${currency}. Choose an add-on in ${basis.currency}.`,
    );
  }
  const running = runningAddons(term);
  if (running.some(({ addonId }) => addonId === addon.addonId)) {
    throw new DomainError(
      'overlapping_plans',
      'This add-on runs on the subscription already. Cancel it first.',
    );
  }
  requireOwnMetrics([addon], [...planMetrics, ...running.flatMap(({ metrics }) => metrics)]);
  const attached = { ...addon, addonSubscriptionId, start: latest(now, term.start), renewed: false };
  const data = { subscriptionId, customerKey, currency: basis.currency, effectiveAt: now, addon: attached };
  return [{ type: 'AddonAttached', data }];
}
