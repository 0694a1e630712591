import { fromExact, subtract } from './money.js';
import type { Money } from './money.js';
import { multiply } from './quantity.js';
import type { Quantity } from './quantity.js';

/**
 * What one consecutive part of a full period costs, from the fraction of it charged before to the fraction charged
 * with it: round(price × upTo) − round(price × before). Rounded so, the parts of a period sum to its price to the
 * cent, whatever their number (partition law, docs/billing.md#cumulative-rounding). `price` is in major units.
 */
export const pieceOf = (price: Quantity, before: Quantity, upTo: Quantity, currency: string): Money =>
  subtract(fromExact(multiply(price, upTo), currency), fromExact(multiply(price, before), currency));
