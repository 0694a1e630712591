import type { Uuid } from '../../kernel/ids.js';
import { earliest, type Instant } from '../../kernel/instant.js';
import { isEmpty } from '../../kernel/period.js';
import { pricingPolicyOf } from '../../pricing/pricing-policy.js';
import type { CompletedSwitch } from '../../subscription/domain/term-state.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import type { DueDate } from './due-date.js';
import type { RunData, RunTerm } from './run.js';

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
