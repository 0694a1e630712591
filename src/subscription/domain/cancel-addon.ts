import type { IssuedCommand } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { latest } from '../../kernel/instant.js';
import type { CancelTerms, SubscriptionEvent, TermAddon } from './events.js';
import { endOfRunningPeriod, addonsOf } from './term-periods.js';
import { requireExisting, requireRunning, type TermState } from './term-state.js';

export interface AddonToCancel {
  /** Id of the add-on, or of its attachment to this subscription. */
  readonly named: Uuid | undefined;
  readonly terms: CancelTerms;
}

/**
 * Ends an add-on now and settles it like a cancelled subscription.
 * @throws DomainError `resource_not_found`; `invalid_state` once the add-on or its term is over
 */
export function cancelAddon(
  { named, terms, now }: IssuedCommand<AddonToCancel>,
  state: TermState | undefined,
): readonly SubscriptionEvent[] {
  // An unknown id is told before the end of the subscription.
  const addon = findAddon(addonsOf(requireExisting(state).term), named);
  if (!addon)
    throw new DomainError(
      'resource_not_found',
      'There is no add-on with this id on this subscription. Check the id.',
    );
  const { term } = requireRunning(state, now);
  if (addon.cancelled)
    throw new DomainError(
      'invalid_state',
      'Add-on already ended. Choose one whose end_date is in the future.',
    );
  const { subscriptionId, customerKey, basis } = term;
  const { addonSubscriptionId, addonId } = addon;
  const end = latest(now, addon.start);
  const billedAt = terms.invoicing === 'invoice_now' ? now : endOfRunningPeriod(term, end);
  const { flatFee, usage, invoicing } = terms;
  return [
    {
      type: 'AddonCancelled',
      data: {
        subscriptionId,
        customerKey,
        currency: basis.currency,
        addonSubscriptionId,
        addonId,
        effectiveAt: now,
        end,
        flatFee,
        usage,
        invoicing,
        billedAt,
      },
    },
  ];
}

/** Finds an add-on by either id. Of several attachments it returns the newest: only that one can run. */
export const findAddon = (addons: readonly TermAddon[], named: Uuid | undefined): TermAddon | undefined =>
  addons.find(({ addonSubscriptionId }) => addonSubscriptionId === named) ??
  addons.findLast(({ addonId }) => addonId === named);
