import type { PriceContent } from '../../pricing/price-content.js';
import { earliest } from '../../kernel/instant.js';
import type { Cancellation } from '../../subscription/domain/subscription-state.js';
import type { TermAddon } from '../../subscription/domain/events.js';
import type { RunTerm } from './run.js';

/**
 * An add-on as one more member of a run: the periods, the anchor and the zone of its term, its own prices, from its own
 * start to its own end (docs/billing.md#add-ons). It has a charge key prefix of its own, so that what was billed, counted
 * and given back is kept apart, also from the price adjustment of the plan.
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

/** Charges that wait for the former end of the period are billed with the term, when that ends before. */
function ownEnd(own: Cancellation, ofTerm: Cancellation | undefined): Cancellation {
  const { flatFee, usage, invoicing, billedAt } = own;
  if (!ofTerm || ofTerm.billedAt >= billedAt) return { flatFee, usage, invoicing, billedAt };
  return { flatFee, usage, invoicing: ofTerm.invoicing, billedAt: ofTerm.billedAt };
}
