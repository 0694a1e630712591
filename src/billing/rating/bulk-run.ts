import type { Uuid } from '../../kernel/ids.js';
import { plusMicros, type Instant } from '../../kernel/instant.js';
import { BULK_RUN_WITHIN } from '../../subscription/domain/bulk-change.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import type { RunTerm } from './run.js';

type Ended = Pick<RunTerm, 'term' | 'revision' | 'cancelled' | 'switched'>;

/**
 * The terms that a run leaves to another: those that one request has ended and begun wait for the run that invoices all
 * of them, as long as that can be under way.
 * @param together what this run itself invoices together
 */
export function deferredToBulkRun(
  terms: readonly Ended[],
  { terms: met }: Pick<AccountState, 'terms'>,
  asOf: Instant,
  together: readonly Uuid[],
): ReadonlySet<Uuid> {
  const left = new Set<Uuid>();
  for (const { term, revision, cancelled, switched } of terms) {
    const ended = cancelled ?? switched;
    if (!ended?.billedTogether || ended.invoicing !== 'invoice_now') continue;
    const { subscriptionId } = term;
    const known = met.get(subscriptionId)?.revision;
    const isBilled = known !== undefined && BigInt(known) >= BigInt(revision);
    const isOver = asOf >= plusMicros(ended.billedAt, BULK_RUN_WITHIN);
    if (isBilled || isOver || together.includes(subscriptionId)) continue;
    left.add(subscriptionId);
    if (switched) left.add(switched.successor.subscriptionId);
  }
  return left;
}
