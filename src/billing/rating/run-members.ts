import type { PlanVersion } from '../../catalog/domain/plan-state.js';
import type { Uuid } from '../../kernel/ids.js';
import { pricingPolicyOf } from '../../pricing/pricing-policy.js';
import type { PriceContent, TermBasis } from '../../pricing/price-content.js';
import type { TermAddon } from '../../subscription/domain/events.js';
import type { Cancellation, TermState } from '../../subscription/domain/term-state.js';
import { addonsOf, endOfAddon } from '../../subscription/domain/term-periods.js';
import type { RunTerm } from './run.js';

/** A term with its changes so far. */
export type TermWithChanges = Pick<TermState, 'term' | 'renewal'> & Partial<TermState>;

/** Makes a term a member of a run, with the prices of its plan version. */
export function runTermOf(
  changed: TermWithChanges,
  revision: bigint,
  plan: { readonly revision: bigint; readonly planName: string; readonly version: PlanVersion },
): RunTerm {
  const { content, number } = plan.version;
  return {
    renewal: changed.renewal,
    endedBy: null,
    revision: revision.toString(),
    content,
    contentHash: changed.term.basis.contentHash,
    planRevision: plan.revision.toString(),
    planName: plan.planName,
    versionNumber: number === 'custom_version' ? 0 : number,
    ...termChangesOf(changed),
  };
}

/** Returns the fields of a run's term that changes of its subscription decide. */
export const termChangesOf = ({ term, endMoved, cancelled, switched, prepaidChanges }: TermWithChanges) => ({
  term,
  endMoved,
  prepaidChanges,
  ...(cancelled ? { endedBy: 'cancelled' as const, cancelled } : {}),
  ...(switched ? { endedBy: 'switched' as const, switched } : {}),
});

/** Adds the add-ons of terms as members of a run. @throws Error for an add-on that does not exist */
export async function membersOf(
  terms: readonly RunTerm[],
  addonWith: (
    addonId: Uuid,
  ) => Promise<{ readonly version: { readonly content: RunTerm['content'] } } | undefined>,
): Promise<RunTerm[]> {
  const members: RunTerm[] = [];
  for (const runTerm of terms) {
    members.push(runTerm);
    for (const addon of addonsOf(runTerm.term)) {
      const sold = await addonWith(addon.addonId);
      if (!sold) throw new Error(`add-on ${addon.addonId} of term ${runTerm.term.subscriptionId} is unknown`);
      members.push(addonMember(runTerm, addon, sold.version.content));
    }
  }
  return members;
}

/**
 * Makes an add-on a member of a run: it has the periods, anchor and zone of its term, its own prices, and its own start
 * and end (docs/billing.md#add-ons). It owns charge keys, so its charges, counts and reversals stay apart from the plan's,
 * also from the plan's price adjustment.
 */
export function addonMember(parent: RunTerm, addon: TermAddon, content: PriceContent): RunTerm {
  const { addons: _addons, prepaidUnits: _prepaidUnits, ...term } = parent.term;
  const { addonSubscriptionId, addonId, addonVersionId, name, quantity, contentHash } = addon;
  const cancelled = addon.cancelled && addonSettlement(addon.cancelled, parent.cancelled);
  // After a switch the add-on keeps its own start, so the switch does not prorate it again.
  const { cancelled: cutWithTerm, switched: _switched, endMoved: moved, ...rest } = parent;
  const endMoved = addon.endMoved ?? moved;
  const { continues: _continues, daysFrom: _daysFrom, ...basis } = term.basis;
  const { daysFrom } = addon;
  return {
    ...rest,
    term: {
      ...term,
      start: addon.start,
      end: endOfAddon(addon, term),
      scheduledEnd: addon.cancelled ? false : term.scheduledEnd,
      basis: { ...basis, contentHash, ...(daysFrom && { daysFrom }), ...carriedOver(addon, content, basis) },
    },
    renewal: addon.renewed,
    ...(cancelled
      ? { endedBy: 'cancelled' as const, cancelled }
      : { ...(cutWithTerm && { cancelled: cutWithTerm }), ...(endMoved !== undefined && { endMoved }) }),
    content,
    contentHash,
    addon: {
      addonSubscriptionId,
      addonId,
      addonVersionId,
      name,
      quantity,
      once: addon.billingFrequency === 'one_time',
      advanceChargesAtEnd: addon.invoiceWhen === 'invoice_on_subscription_end',
      endsWithTerm: addon.cancelled === undefined,
    },
  };
}

/** Returns the proration that a renewal inside a billing period carries over for an add-on. */
function carriedOver(
  { start, chargedSince: since }: TermAddon,
  { recurringCharges }: PriceContent,
  { policy }: Pick<TermBasis, 'policy'>,
): Pick<TermBasis, 'continues'> {
  if (!since || pricingPolicyOf(policy).term.roundsUnitsAndAddonsSeparately) return {};
  const fees = recurringCharges
    .filter(({ behavior, resetInterval }) => behavior === 'prorate' && resetInterval === null)
    .map(({ amount, resetInterval }) => ({ amount, resetInterval, since }));
  return {
    continues: { termStart: start, periodStart: start, billedAt: start, fees, adjustment: null, usage: [] },
  };
}

/** Returns the settlement of a cancelled add-on: its term's, if that is due before the add-on's own. */
function addonSettlement(own: Cancellation, ofTerm: Cancellation | undefined): Cancellation {
  const { flatFee, usage, invoicing, billedAt } = own;
  if (!ofTerm || ofTerm.billedAt >= billedAt) return { flatFee, usage, invoicing, billedAt };
  return { flatFee, usage, invoicing: ofTerm.invoicing, billedAt: ofTerm.billedAt };
}
