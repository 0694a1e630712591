import { isEmpty } from '../../kernel/period.js';
import type { CompletedSwitch } from '../../subscription/domain/subscription-state.js';
import type { RunData, RunTerm } from './run.js';
import { earliest, type Instant, plusMicros } from '../../kernel/instant.js';
import { policyOf } from '../../pricing/policy.js';
import type { Uuid } from '../../kernel/ids.js';
import { BULK_RUN_TIMEOUT } from '../../subscription/domain/bulk-change.js';
import type { AccountState } from '../accounts/domain/account-state.js';

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
 * Selects the terms that a run leaves to the bulk run: a bulk change invoices the terms it ended and began in one run, so
 * any other run leaves them alone for the time that this run can be under way.
 * @param bulkRun terms that this run invoices as the bulk run
 */
export function deferredToBulkRun(
  terms: readonly Ended[],
  { terms: met }: Pick<AccountState, 'terms'>,
  asOf: Instant,
  bulkRun: readonly Uuid[],
): ReadonlySet<Uuid> {
  const left = new Set<Uuid>();
  for (const { term, revision, cancelled, switched } of terms) {
    const ended = cancelled ?? switched;
    if (!ended?.billedTogether || ended.invoicing !== 'invoice_now') continue;
    const { subscriptionId } = term;
    const known = met.get(subscriptionId)?.revision;
    const isBilled = known !== undefined && BigInt(known) >= BigInt(revision);
    const isOver = asOf >= plusMicros(ended.billedAt, BULK_RUN_TIMEOUT);
    if (isBilled || isOver || bulkRun.includes(subscriptionId)) continue;
    left.add(subscriptionId);
    if (switched) left.add(switched.successor.subscriptionId);
  }
  return left;
}
