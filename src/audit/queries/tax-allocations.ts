import type { InvoiceLine } from '../../billing/accounts/domain/event-data.js';
import {
  addMoney,
  compareMoney,
  fromStored,
  percentOf,
  sumMoney,
  zero,
  type Money,
} from '../../kernel/money.js';
import { quantity } from '../../kernel/quantity.js';

/** Total that lines of an invoice share in proportion to their bases, by the largest remainder. */
export interface Allocation {
  readonly total: Money;
  /** Sum of the bases of the lines. */
  readonly base: Money;
  readonly ownBase: Money;
  /** Indexes of the lines on the invoice. */
  readonly lines: readonly number[];
}

/**
 * Finds for each taxed line the tax of all lines of its rate and their bases (docs/billing.md#tax). A line that reverses
 * has a tax of its own and no entry, as has a line of a rate whose lines do not sum to its tax.
 */
export function taxAllocations(
  lines: readonly InvoiceLine[],
  currency: string,
): ReadonlyMap<InvoiceLine, Allocation> {
  const found = new Map<InvoiceLine, Allocation>();
  const shared = lines.map((line, index) => ({ line, index })).filter(({ line }) => isShared(line));
  for (const rate of new Set(shared.map(({ line }) => line.explanation.taxRate))) {
    if (rate === undefined) continue;
    const members = shared.filter(({ line }) => line.explanation.taxRate === rate);
    const base = sumMoney(
      currency,
      members.map(({ line }) => fromStored(line.subtotal)),
    );
    const total = percentOf(base, quantity(rate));
    const taxes = sumMoney(
      currency,
      members.map(({ line }) => taxOf(line)),
    );
    if (compareMoney(taxes, total) !== 0) continue;
    const indexes = members.map(({ index }) => index);
    for (const { line } of members)
      found.set(line, { total, base, ownBase: fromStored(line.subtotal), lines: indexes });
  }
  return found;
}

const isShared = ({ subscriptionId, base, subtotal }: InvoiceLine): boolean =>
  subscriptionId !== null && BigInt(base.amount) >= 0n && BigInt(subtotal.amount) > 0n;

const taxOf = ({ adjustments, base }: InvoiceLine): Money =>
  adjustments
    .filter(({ type }) => type === 'sales_tax')
    .map(({ amount }) => fromStored(amount))
    .reduce(addMoney, zero(base.currency));
