import { DomainError } from '../kernel/errors.js';
import { minorOf, minorUnits, toDecimal } from '../kernel/money.js';
import type { Money } from '../kernel/money.js';

const BOUND = 10_000_000_000n;
/** In minor units, by the number of a currency's decimals. */
const BOUNDS = [0, 1, 2, 3, 4].map((decimals) => BOUND * 10n ** BigInt(decimals));

/**
 * Amounts of invoices and lines stay strictly between −10^10 and 10^10 (docs/contract.md#limits). One outside is never cut or
 * stored: the run is refused and parked.
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
