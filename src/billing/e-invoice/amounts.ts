import { DomainError } from '../../kernel/errors.js';
import {
  fromStored,
  isNegativeMoney,
  isZeroMoney,
  negateMoney,
  subtractMoney,
  sumMoney,
  toDecimal,
  type Money,
} from '../../kernel/money.js';
import { exactText, isNegative, isZero, quantity } from '../../kernel/quantity.js';
import type { ComputedInvoice, InvoiceLine } from '../accounts/domain/event-data.js';
import { adjusted, isSold } from '../pdf/document-rows.js';

/** VAT category of UNTDID 5305: taxed, exempt, owed by the customer (reverse charge), or outside of VAT. */
export interface TaxCategory {
  readonly code: 'S' | 'E' | 'AE' | 'O';
  /** Percent; an invoice outside of VAT has none. */
  readonly rate?: string;
}

export interface TaxGroup {
  readonly category: TaxCategory;
  readonly base: string;
  readonly tax: string;
}

export interface EInvoiceLine {
  readonly line: InvoiceLine;
  /** Negative on a reversing line; the price is never negative. */
  readonly billedQuantity: string;
  /**
   * Price of `baseQuantity` units, before the price adjustment. Price and base quantity together express a tier's price
   * exactly.
   */
  readonly price: string;
  readonly baseQuantity: string;
  /** The price adjustment of the line; undefined: there is none. */
  readonly adjustment?: { readonly isCharge: boolean; readonly amount: string } | undefined;
  readonly net: string;
  readonly category: TaxCategory;
}

/** Amounts of an e-invoice as decimal text, each sum made of the texts that stand beside it. */
export interface EInvoiceAmounts {
  /** True where reversals exceed sales: all amounts have the opposite sign. */
  readonly isCreditNote: boolean;
  readonly lines: readonly EInvoiceLine[];
  readonly taxes: readonly TaxGroup[];
  readonly net: string;
  readonly tax: string;
  readonly gross: string;
  /** Amount settled by credits: drawn, granted, or applied to other invoices. */
  readonly settled: string;
  readonly due: string;
  readonly isDue: boolean;
}

/**
 * Computes the amounts of EN 16931 (docs/contract.md#e-invoice).
 * @param isReverseCharge why a rate is 0: the customer owes the tax @throws DomainError `invalid_state`
 */
export function eInvoiceAmounts(
  { lines, currency, costDue }: ComputedInvoice,
  isReverseCharge: boolean,
): EInvoiceAmounts {
  const sold = lines.filter(isSold);
  const total = (some: readonly InvoiceLine[], part: (line: InvoiceLine) => Money): Money =>
    sumMoney(currency, some.map(part));
  const isCreditNote = isNegativeMoney(total(sold, ({ amount }) => fromStored(amount)));
  const signed = (amount: Money): Money => (isCreditNote ? negateMoney(amount) : amount);
  const text = (amount: Money): string => twoDecimals(signed(amount), currency);
  const subtotal = ({ subtotal: net }: InvoiceLine): Money => fromStored(net);
  const tax = (line: InvoiceLine): Money => adjusted(line, 'sales_tax');

  const isOutsideOfVat = sold.every(({ explanation }) => explanation.taxRate === undefined);
  const untaxed: TaxCategory = isOutsideOfVat
    ? { code: 'O' }
    : { code: isReverseCharge ? 'AE' : 'E', rate: '0' };
  const categories = new Map(sold.map((line) => [line, categoryOf(line, untaxed)]));
  const groups = new Map([...categories.values()].map((category) => [groupKey(category), category]));
  const gross = total(sold, ({ amount }) => fromStored(amount));
  const due = fromStored(costDue);
  return {
    isCreditNote,
    lines: sold.map((line) => ({
      line,
      ...pricing(line, signed(fromStored(line.base)), currency),
      adjustment: adjustmentOf(signed(subtractMoney(subtotal(line), fromStored(line.base))), currency),
      net: text(subtotal(line)),
      category: categories.get(line)!,
    })),
    taxes: [...groups].map(([key, category]) => {
      const taxed = sold.filter((line) => groupKey(categories.get(line)!) === key);
      return { category, base: text(total(taxed, subtotal)), tax: text(total(taxed, tax)) };
    }),
    net: text(total(sold, subtotal)),
    tax: text(total(sold, tax)),
    gross: text(gross),
    settled: text(subtractMoney(gross, due)),
    due: text(due),
    isDue: !isZeroMoney(due),
  };
}

/** A rate above 0 is taxed (docs/billing.md#tax). */
function categoryOf({ explanation: { taxRate } }: InvoiceLine, untaxed: TaxCategory): TaxCategory {
  const rate = quantity(taxRate ?? '0');
  return isZero(rate) ? untaxed : { code: 'S', rate: exactText(rate) };
}

const groupKey = ({ code, rate = '' }: TaxCategory): string => `${code} ${rate}`;

function pricing(
  { quantity: counted }: InvoiceLine,
  base: Money,
  currency: string,
): Pick<EInvoiceLine, 'billedQuantity' | 'price' | 'baseQuantity'> {
  const units = quantity(counted ?? '1');
  const positive = (isNegative(units) ? counted!.slice(1) : counted) ?? '1';
  const baseQuantity = isZero(units) ? '1' : positive;
  const price = twoDecimals(absolute(base), currency);
  if (isZeroMoney(base)) return { billedQuantity: positive, price, baseQuantity };
  return { billedQuantity: isNegativeMoney(base) ? `-${baseQuantity}` : baseQuantity, price, baseQuantity };
}

function adjustmentOf(amount: Money, currency: string): EInvoiceLine['adjustment'] {
  if (isZeroMoney(amount)) return undefined;
  return { isCharge: !isNegativeMoney(amount), amount: twoDecimals(absolute(amount), currency) };
}

const absolute = (amount: Money): Money => (isNegativeMoney(amount) ? negateMoney(amount) : amount);

/** Writes an amount; EN 16931 takes at most two decimals (BR-DEC). @throws DomainError `invalid_state` */
function twoDecimals(amount: Money, currency: string): string {
  const [whole, decimals = ''] = toDecimal(amount).split('.');
  if (/[1-9]/.test(decimals.slice(2))) {
    throw new DomainError(
      'invalid_state',
      `An e-invoice has amounts of at most two decimals, and this invoice in ${currency} has ${toDecimal(amount)}. Use its PDF.`,
    );
  }
  return decimals === '' ? whole! : `${whole}.${decimals.slice(0, 2)}`;
}
