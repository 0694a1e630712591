import { fromExact, subtract, toQuantity } from '../../kernel/money.js';
import type { Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import { multiply } from '../../kernel/quantity.js';
import type { Quantity } from '../../kernel/quantity.js';
import { shareOf, type MeasuredTerm } from '../../pricing/proration.js';

/**
 * The partition law (docs/billing.md#cumulative-rounding): pieces of one full period at one price sum to the price, as each is the
 * rounded total up to its end less the rounded total up to its start. In major units, whole minor ones.
 * @param since where the first of the pieces began
 */
export function pieceOf(
  price: Quantity,
  since: Instant,
  { start, end }: Period,
  full: Period,
  term: MeasuredTerm,
): Quantity {
  const { currency } = term.term.basis;
  const upTo = (to: Instant) =>
    fromExact(multiply(price, shareOf({ start: since, end: to }, full, term)), currency);
  return toQuantity(subtract(upTo(end), upTo(start)));
}
