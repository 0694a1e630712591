import type { Uuid } from '../../kernel/ids.js';
import { plusMicros, type Instant } from '../../kernel/instant.js';
import { BULK_RUN_TIMEOUT } from '../../subscription/domain/bulk-change.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import type { RunTerm } from './run.js';

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
