import type { IssuedCommand } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { latest } from '../../kernel/instant.js';
import type { CancelTerms, SubscriptionEvent, TermAddon } from './events.js';
import { endOfRunningPeriod, addonsOf } from './term-periods.js';
import { requireRunning, type Subscription } from './subscription-state.js';

export interface AddonToCancel {
  /** The add-on, or its attachment to this subscription. */
  readonly named: Uuid | undefined;
  readonly terms: CancelTerms;
}

/**
 * The add-on ends now, and is settled as a cancelled subscription is.
 * @throws DomainError `resource_not_found`, `invalid_state` once it or its term is over
 */
export function cancelAddon(
  { named, terms, now }: IssuedCommand<AddonToCancel>,
  state: Subscription | undefined,
): readonly SubscriptionEvent[] {
  const { term } = requireRunning(state, now);
  const addon = findAddon(addonsOf(term), named);
  if (!addon) throw new DomainError('resource_not_found', 'There is no such add-on on this subscription.');
  if (addon.cancelled) throw new DomainError('invalid_state', 'Add-on already ended');
  const { subscriptionId, customerKey, basis } = term;
  const { addonSubscriptionId, addonId } = addon;
  const end = latest(now, addon.start);
  const billedAt = terms.invoicing === 'invoice_now' ? now : endOfRunningPeriod(term, end);
  const { flatFee, usage, invoicing } = terms;
  return [
    {
      type: 'AddonCancelled',
      data: {
        ...{ subscriptionId, customerKey, currency: basis.currency, addonSubscriptionId, addonId },
        ...{ effectiveAt: now, end, flatFee, usage, invoicing, billedAt },
      },
    },
  ];
}

/** By either name; of several attachments of one add-on the newest, which is the one that can run. */
export const findAddon = (addons: readonly TermAddon[], named: Uuid | undefined): TermAddon | undefined =>
  addons.find(({ addonSubscriptionId }) => addonSubscriptionId === named) ??
  addons.findLast(({ addonId }) => addonId === named);
