import type { PlanVersion } from '../../catalog/domain/plan-state.js';
import type { Uuid } from '../../kernel/ids.js';
import { earliest, type Instant, plusMicros } from '../../kernel/instant.js';
import { isEmpty } from '../../kernel/period.js';
import { policyOf } from '../../pricing/policy.js';
import type { PriceContent } from '../../pricing/price-content.js';
import { BULK_RUN_TIMEOUT } from '../../subscription/domain/bulk-change.js';
import type { TermAddon } from '../../subscription/domain/events.js';
import type {
  Cancellation,
  CompletedSwitch,
  Subscription,
} from '../../subscription/domain/subscription-state.js';
import { addonsOf, endOfAddon } from '../../subscription/domain/term-periods.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import type { RunData, RunTerm } from './run.js';

/** A term with its changes so far. */
export type TermWithChanges = Pick<Subscription, 'term' | 'renewal'> & Partial<Subscription>;

/** Makes a term a member of a run, with the prices of its plan version. */
export function runTermOf(
  changed: TermWithChanges,
  revision: bigint,
  plan: { readonly revision: bigint; readonly planName: string; readonly version: PlanVersion },
): RunTerm {
  const { content, number } = plan.version;
  return {
    renewal: changed.renewal,
    cut: null,
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
  ...(cancelled ? { cut: 'cancelled' as const, cancelled } : {}),
  ...(switched ? { cut: 'switched' as const, switched } : {}),
});

/** Adds the add-ons of terms as members of a run. @throws Error for an add-on that there is not */
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
  // A switch moves an add-on unchanged: it is measured from its own start, as if its term had begun before.
  const { cancelled: cutWithTerm, switched: _switched, endMoved: moved, ...rest } = parent;
  const endMoved = addon.endMoved ?? moved;
  const { continues: _continues, ...basis } = term.basis;
  return {
    ...rest,
    term: {
      ...term,
      start: addon.start,
      end: endOfAddon(addon, term),
      scheduledEnd: addon.cancelled ? false : term.scheduledEnd,
      basis: { ...basis, contentHash },
    },
    renewal: addon.renewed,
    ...(cancelled
      ? { cut: 'cancelled' as const, cancelled }
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
      feesAtEnd: addon.invoiceWhen === 'invoice_on_subscription_end',
      endsWithTerm: addon.cancelled === undefined,
    },
  };
}

/**
 * Returns how a cancelled add-on is settled: if its term ends before the add-on's invoice is due, together with the
 * term.
 */
function addonSettlement(own: Cancellation, ofTerm: Cancellation | undefined): Cancellation {
  const { flatFee, usage, invoicing, billedAt } = own;
  if (!ofTerm || ofTerm.billedAt >= billedAt) return { flatFee, usage, invoicing, billedAt };
  return { flatFee, usage, invoicing: ofTerm.invoicing, billedAt: ofTerm.billedAt };
}

/**
 * Resolves several switches at one instant to one from first to last (docs/billing.md#plan-switches): a term transfers the
 * usage that the last plan takes over, whatever the plans in between have.
 */
export function withEffectiveSwitches(terms: readonly RunTerm[]): readonly RunTerm[] {
  if (terms.every(({ switched }) => switched === undefined)) return terms;
  const plans = terms.filter(({ addon }) => addon === undefined);
  const byId = new Map(plans.map((runTerm) => [runTerm.term.subscriptionId, runTerm]));
  const lastOf = (switching: CompletedSwitch): CompletedSwitch => {
    const next = byId.get(switching.successor.subscriptionId);
    return next?.switched && isEmpty(next.term) ? lastOf(next.switched) : switching;
  };
  return terms.map((runTerm) => {
    const { switched } = runTerm;
    return switched ? { ...runTerm, switched: { ...switched, moved: lastOf(switched).moved } } : runTerm;
  });
}

/**
 * Lets a cancellation that is invoiced at once settle all terms of the account that are over by then, for example a switch
 * that waits for the next invoice (docs/billing.md#plan-switches): no credit is granted while a charge is still to come.
 */
export function withSettlements(
  terms: readonly RunTerm[],
  { policy }: Pick<RunData, 'policy'>,
): readonly RunTerm[] {
  if (policyOf(policy).invoice.cancellationSettles === 'its_term') return terms;
  const cancellations = terms.flatMap(({ addon, cancelled }) =>
    !addon && cancelled?.invoicing === 'invoice_now' ? [cancelled.billedAt] : [],
  );
  if (cancellations.length === 0) return terms;
  const at = [...new Set(cancellations)];
  return terms.map((runTerm) => {
    const settledBy = firstFrom(runTerm.term.end, at);
    return settledBy === undefined ? runTerm : { ...runTerm, settledBy };
  });
}

const firstFrom = (end: Instant, at: readonly Instant[]): Instant | undefined =>
  at
    .filter((instant) => instant >= end)
    .reduce<Instant | undefined>(
      (first, instant) => (first === undefined ? instant : earliest(first, instant)),
      undefined,
    );

/** Tells whether `charge_full` charges a term that ended at the instant it began (docs/billing.md#charge-full). */
export const isChargedWithoutLength = ({ term, cancelled }: Pick<RunTerm, 'term' | 'cancelled'>): boolean =>
  cancelled?.flatFee === 'charge_full' &&
  !cancelled.neverBegan &&
  isEmpty(term) &&
  !policyOf(term.basis.policy).term.fullNeedsTime;

type Ended = Pick<RunTerm, 'term' | 'revision' | 'cancelled' | 'switched'>;

/**
 * Selects the terms that a run leaves to the bulk run. A bulk change invoices the terms that it ended and began in one
 * run of its own, so other runs leave them out until that run must be over.
 * @param bulkRun terms that this run invoices as the bulk run
 */
export function deferredToBulkRun(
  terms: readonly Ended[],
  { terms: known }: Pick<AccountState, 'terms'>,
  asOf: Instant,
  bulkRun: readonly Uuid[],
): ReadonlySet<Uuid> {
  const deferred = new Set<Uuid>();
  const ofBulkRun = new Set(bulkRun);
  for (const { term, revision, cancelled, switched } of terms) {
    const ended = cancelled ?? switched;
    if (!ended?.billedTogether || ended.invoicing !== 'invoice_now') continue;
    const { subscriptionId } = term;
    const billedRevision = known.get(subscriptionId)?.revision;
    const isBilled = billedRevision !== undefined && BigInt(billedRevision) >= BigInt(revision);
    const isOver = asOf >= plusMicros(ended.billedAt, BULK_RUN_TIMEOUT);
    if (isBilled || isOver || ofBulkRun.has(subscriptionId)) continue;
    deferred.add(subscriptionId);
    if (switched) deferred.add(switched.successor.subscriptionId);
  }
  return deferred;
}
