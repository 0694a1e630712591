import { DomainError } from '../kernel/errors.js';
import { minorOf, minorUnits, toDecimal } from '../kernel/money.js';
import type { Money } from '../kernel/money.js';

const BOUND = 10_000_000_000n;
/** The limit in minor units, by the number of decimals of the currency. */
const BOUNDS = [0, 1, 2, 3, 4].map((decimals) => BOUND * 10n ** BigInt(decimals));

/**
 * Requires an amount of an invoice or line strictly between −10^10 and 10^10 (docs/contract.md#limits). A run with an amount
 * outside is refused and parked; amounts are never cut.
 * @throws DomainError `amount_out_of_range`
 */
export function requireWithinAmountLimits(amount: Money, currency: string): void {
  const bound = BOUNDS[minorUnits(currency)]!;
  const minor = minorOf(amount);
  if (minor < bound && minor > -bound) return;
  throw new DomainError(
    'amount_out_of_range',
    `An amount of ${toDecimal(amount)} ${currency} cannot be invoiced.`,
  );
}
