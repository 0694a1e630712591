import type { PriceContent } from '../../pricing/price-content.js';
import { earliest } from '../../kernel/instant.js';
import type { Cancellation } from '../../subscription/domain/subscription-state.js';
import type { TermAddon } from '../../subscription/domain/events.js';
import type { RunTerm } from './run.js';

/**
 * Makes an add-on a member of a run: it has the periods, anchor and zone of its term, its own prices, and its own start
 * and end (docs/billing.md#add-ons). It owns charge keys, so its charges, counts and reversals stay apart from the plan's,
 * also from the plan's price adjustment.
 */
export function addonMember(parent: RunTerm, addon: TermAddon, content: PriceContent): RunTerm {
  const { addons: _, prepaidUnits: __, ...term } = parent.term;
  const { addonSubscriptionId, addonId, addonVersionId, name, quantity, contentHash } = addon;
  const own = addon.cancelled && ownEnd(addon.cancelled, parent.cancelled);
  // A switch moves it as it is: it is measured from its own start on, as if its term had begun before.
  const { cancelled: cutWithTerm, switched: ___, endMoved: moved, ...rest } = parent;
  const endMoved = addon.endMoved ?? moved;
  const { continues: ____, ...basis } = term.basis;
  return {
    ...rest,
    term: {
      ...term,
      start: addon.start,
      end: addon.cancelled ? earliest(addon.cancelled.end, term.end) : term.end,
      scheduledEnd: addon.cancelled ? false : term.scheduledEnd,
      basis: { ...basis, contentHash },
    },
    renewal: addon.renewed,
    ...(own
      ? { cut: 'cancelled' as const, cancelled: own }
      : { ...(cutWithTerm && { cancelled: cutWithTerm }), ...(endMoved !== undefined && { endMoved }) }),
    content,
    contentHash,
    addon: {
      ...{ addonSubscriptionId, addonId, addonVersionId, name, quantity },
      once: addon.billingFrequency === 'one_time',
      feesAtEnd: addon.invoiceWhen === 'invoice_on_subscription_end',
      endsWithTerm: addon.cancelled === undefined,
    },
  };
}

/** A cancellation that waits for the former end of the period is billed with the term when that ends before. */
function ownEnd(own: Cancellation, ofTerm: Cancellation | undefined): Cancellation {
  const { flatFee, usage, invoicing, billedAt } = own;
  if (!ofTerm || ofTerm.billedAt >= billedAt) return { flatFee, usage, invoicing, billedAt };
  return { flatFee, usage, invoicing: ofTerm.invoicing, billedAt: ofTerm.billedAt };
}
