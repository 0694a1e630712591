import type { Uuid } from '../../kernel/ids.js';
import { plusMicros, type Instant } from '../../kernel/instant.js';
import { BULK_RUN_WITHIN } from '../../subscription/domain/bulk-change.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import type { RunTerm } from './run.js';

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
    const isOver = asOf >= plusMicros(ended.billedAt, BULK_RUN_WITHIN);
    if (isBilled || isOver || bulkRun.includes(subscriptionId)) continue;
    left.add(subscriptionId);
    if (switched) left.add(switched.successor.subscriptionId);
  }
  return left;
}
