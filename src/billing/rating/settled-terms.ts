import { earliest, type Instant } from '../../kernel/instant.js';
import { policyOf } from '../../pricing/policy.js';
import type { RunData, RunTerm } from './run.js';

/**
 * A cancellation that is invoiced at once settles everything of the account that is over by then, such as a switch that
 * waits for the next invoice (docs/billing.md#plan-switches): no credit is granted while a charge of it is still to come.
 */
export function withSettlements(
  terms: readonly RunTerm[],
  { policy }: Pick<RunData, 'policy'>,
): readonly RunTerm[] {
  if (policyOf(policy).invoice.cancellationSettles === 'its_term') return terms;
  const at = terms.flatMap(({ addon, cancelled }) =>
    !addon && cancelled?.invoicing === 'invoice_now' ? [cancelled.billedAt] : [],
  );
  if (at.length === 0) return terms;
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
