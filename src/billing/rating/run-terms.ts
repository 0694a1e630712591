import type { PlanVersion } from '../../catalog/domain/plan-state.js';
import type { Uuid } from '../../kernel/ids.js';
import { earliest, type Instant, MINUTE, plusMicros } from '../../kernel/instant.js';
import { isEmpty } from '../../kernel/period.js';
import { pricingPolicyOf } from '../../pricing/pricing-policy.js';
import type { PriceContent } from '../../pricing/price-content.js';
import { BULK_RUN_TIMEOUT } from '../../subscription/domain/bulk-change.js';
import type { TermAddon } from '../../subscription/domain/events.js';
import type { Cancellation, CompletedSwitch, TermState } from '../../subscription/domain/term-state.js';
import { addonsOf, endOfAddon } from '../../subscription/domain/term-periods.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import { addonBasis } from './addon-basis.js';
import type { DueDate, RunData, RunTerm } from './run.js';

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
  return {
    ...rest,
    term: {
      ...term,
      start: addon.start,
      end: endOfAddon(addon, term),
      scheduledEnd: addon.cancelled ? false : term.scheduledEnd,
      basis: addonBasis(addon, term, content),
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

/** Returns the settlement of a cancelled add-on: its term's, if that is due before the add-on's own. */
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

type EndedTerm = Pick<RunTerm, 'term' | 'endedBy' | 'cancelled' | 'switched'>;

/**
 * Returns the due date of what a term owes at its end. A cut has no grace; its settlement can wait for the former end
 * of the period.
 */
export function endDueDate({ term, endedBy, cancelled, switched }: EndedTerm): DueDate {
  const settled = cancelled ?? switched;
  if (!settled) return { at: term.end, graced: endedBy === null };
  return { at: settled.billedAt, graced: settled.invoicing === 'add_to_next_invoice' };
}

/**
 * Returns the unsettled terms with the due dates that other terms set for them (docs/billing.md#plan-switches), so that no
 * credit is granted while a charge is still to come. A cancellation that is invoiced at once makes all terms of the
 * account due that are over. Any other end of a subscription makes the charges due that its switches and cancelled
 * add-ons left for later.
 */
export function unsettledTerms({
  terms,
  account: { settled },
  policy,
}: Pick<RunData, 'terms' | 'policy'> & { readonly account: Pick<AccountState, 'settled'> }): RunTerm[] {
  const unsettled = withEffectiveSwitches(terms).filter(({ term }) => !settled.has(term.subscriptionId));
  const { cancellationSettles, endSettles } = pricingPolicyOf(policy).invoice;
  const cancellations = cancellationSettles === 'its_term' ? [] : cancellationsNow(unsettled);
  const endOf = endSettles === 'its_term' ? () => [] : endsOf(unsettled, settled);
  return unsettled.map((runTerm) => {
    const dueByOtherTerms = [...firstFrom(runTerm.term.end, cancellations), ...endOf(runTerm)];
    return dueByOtherTerms.length === 0 ? runTerm : { ...runTerm, dueByOtherTerms };
  });
}

const isCancelledNow = ({ cancelled }: RunTerm): boolean => cancelled?.invoicing === 'invoice_now';

/** Returns the instants of cancellations that are invoiced at once, each one time: a bulk change has one for all terms. */
function cancellationsNow(terms: readonly RunTerm[]): Instant[] {
  const plans = terms.filter((runTerm) => !runTerm.addon && isCancelledNow(runTerm));
  return [...new Set(plans.map(({ cancelled }) => cancelled!.billedAt))];
}

function firstFrom(end: Instant, at: readonly Instant[]): DueDate[] {
  const [first, ...others] = at.filter((instant) => instant >= end);
  return first === undefined ? [] : [{ at: others.reduce(earliest, first), graced: false }];
}

/** Finds, for a switched term or a cancelled add-on, when the last term of the subscription is settled. */
function endsOf(terms: readonly RunTerm[], settled: ReadonlySet<Uuid>): (runTerm: RunTerm) => DueDate[] {
  const plans = plansOf(terms);
  return (runTerm) => {
    if (!runTerm.switched && !(runTerm.addon && runTerm.cancelled)) return [];
    const plan = plans.get(runTerm.term.subscriptionId)!;
    const last = successorsOf(plan, plans).at(-1) ?? plan;
    // The successor is settled already. This term is open only because a void reopened it, so it is due at its end.
    if (last.switched && settled.has(last.switched.successor.subscriptionId)) {
      return [{ at: last.term.end, graced: false }];
    }
    return last === runTerm || isCancelledNow(last) ? [] : [endDueDate(last)];
  };
}

const plansOf = (terms: readonly RunTerm[]): ReadonlyMap<Uuid, RunTerm> =>
  new Map(terms.filter(({ addon }) => !addon).map((runTerm) => [runTerm.term.subscriptionId, runTerm]));

/** Returns the terms that switches made of a plan's term, in their order. */
function successorsOf(plan: RunTerm, plans: ReadonlyMap<Uuid, RunTerm>): RunTerm[] {
  const nextOf = ({ switched }: RunTerm) => switched && plans.get(switched.successor.subscriptionId);
  const successors: RunTerm[] = [];
  for (let next = nextOf(plan); next; next = nextOf(next)) successors.push(next);
  return successors;
}

/** Returns successors that must stay unsettled because an earlier term of their chain of switches still owes something. */
export function termsNeededByOthers(
  schedules: readonly { readonly runTerm: RunTerm; readonly next: DueDate | null }[],
  policy: string,
): ReadonlySet<Uuid> {
  if (pricingPolicyOf(policy).invoice.endSettles === 'its_term') return new Set();
  const plans = plansOf(schedules.map(({ runTerm }) => runTerm));
  const open = schedules.filter(({ next }) => next !== null);
  return new Set(
    open.flatMap(({ runTerm }) =>
      successorsOf(plans.get(runTerm.term.subscriptionId)!, plans).map(({ term }) => term.subscriptionId),
    ),
  );
}

/** Tells whether `charge_full` charges a term that ended at the instant it began (docs/billing.md#charge-full). */
export const isChargedWithoutLength = ({ term, cancelled }: Pick<RunTerm, 'term' | 'cancelled'>): boolean =>
  cancelled?.flatFee === 'charge_full' &&
  !cancelled.neverBegan &&
  isEmpty(term) &&
  !pricingPolicyOf(term.basis.policy).term.chargeFullNeedsLength;

/** Tells whether `bill_none` drops usage with an invoicing date. A date at the very instant of a cancellation has come. */
export const isUsageDropped = (
  date: Instant,
  { term, cancelled }: Pick<RunTerm, 'term' | 'cancelled'>,
): boolean =>
  cancelled?.usage === 'bill_none' &&
  (date > term.end ||
    (date === term.end && pricingPolicyOf(term.basis.policy).term.cancellationCutsEndedWindows));

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

/** Returns the late-event grace in microseconds. */
export const graceOf = ({ lateEventGraceMinutes }: { readonly lateEventGraceMinutes: number }): bigint =>
  BigInt(lateEventGraceMinutes) * MINUTE;

/** Returns the instant at which a due date is billed. */
export const dueInstant = ({ at, graced }: DueDate, grace: bigint): Instant =>
  graced ? plusMicros(at, grace) : at;

/** Returns the date that is billed first; the first argument if both are billed at one instant. */
export function earlierDue(a: DueDate | null, b: DueDate | null, grace: bigint): DueDate | null {
  if (a === null || b === null) return a ?? b;
  return dueInstant(a, grace) <= dueInstant(b, grace) ? a : b;
}
