import { DomainError } from '../../kernel/errors.js';
import { compareMoney, fromExact, negate, toDecimal } from '../../kernel/money.js';
import type { Money } from '../../kernel/money.js';
import { quantity } from '../../kernel/quantity.js';

const BOUND = quantity('10000000000');

/**
 * Amounts of invoices and lines stay strictly between −10^10 and 10^10 (api.md section 8). One outside is never cut or
 * stored: the run is refused and parked.
 */
export function withinBounds(amount: Money, currency: string): Money {
  const bound = fromExact(BOUND, currency);
  if (compareMoney(amount, bound) < 0 && compareMoney(amount, negate(bound)) > 0) return amount;
  throw new DomainError(
    'amount_out_of_range',
    `An amount of ${toDecimal(amount)} ${currency} cannot be invoiced.`,
  );
}
