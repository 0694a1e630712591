import { DomainError } from '../../kernel/errors.js';
import {
  fromStored,
  isNegativeMoney,
  isZeroMoney,
  negate,
  subtract,
  sum,
  toDecimal,
  type Money,
} from '../../kernel/money.js';
import { exactText, isNegative, isZero, quantity } from '../../kernel/quantity.js';
import type { ComputedInvoice, InvoiceLine } from '../accounts/domain/event-data.js';
import { adjusted, isSold } from '../pdf/document-rows.js';

/** VAT category of UNTDID 5305: taxed, exempt, or outside of VAT. */
export interface TaxCategory {
  readonly code: 'S' | 'E' | 'O';
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
  /** Negative on a line that takes back; the price never is. */
  readonly billedQuantity: string;
  /** Price of `baseQuantity` units: with both a price of tiers is exact. */
  readonly price: string;
  readonly baseQuantity: string;
  readonly net: string;
  readonly category: TaxCategory;
}

/** Amounts of an e-invoice as decimal text, each sum made of the texts that stand beside it. */
export interface EInvoiceAmounts {
  /** True where more is taken back than sold: all amounts have the opposite sign. */
  readonly isCreditNote: boolean;
  readonly lines: readonly EInvoiceLine[];
  readonly taxes: readonly TaxGroup[];
  readonly net: string;
  readonly tax: string;
  readonly gross: string;
  /** Settled by credits: drawn, granted, or taken off other invoices. */
  readonly settled: string;
  readonly due: string;
  readonly isDue: boolean;
}

/** Computes the amounts of EN 16931 (docs/contract.md#e-invoice). @throws DomainError `invalid_state` */
export function eInvoiceAmounts({ lines, currency, costDue }: ComputedInvoice): EInvoiceAmounts {
  const sold = lines.filter(isSold);
  const total = (some: readonly InvoiceLine[], part: (line: InvoiceLine) => Money): Money =>
    sum(currency, some.map(part));
  const isCreditNote = isNegativeMoney(total(sold, ({ amount }) => fromStored(amount)));
  const signed = (amount: Money): Money => (isCreditNote ? negate(amount) : amount);
  const text = (amount: Money): string => twoDecimals(signed(amount), currency);
  const subtotal = ({ subtotal: net }: InvoiceLine): Money => fromStored(net);
  const tax = (line: InvoiceLine): Money => adjusted(line, 'sales_tax');

  const isOutsideOfVat = sold.every(({ explanation }) => explanation.taxRate === undefined);
  const categories = new Map(sold.map((line) => [line, categoryOf(line, isOutsideOfVat)]));
  const groups = new Map([...categories.values()].map((category) => [groupKey(category), category]));
  const gross = total(sold, ({ amount }) => fromStored(amount));
  const due = fromStored(costDue);
  return {
    isCreditNote,
    lines: sold.map((line) => ({
      line,
      ...pricing(line, signed(subtotal(line)), currency),
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
    settled: text(subtract(gross, due)),
    due: text(due),
    isDue: !isZeroMoney(due),
  };
}

/** A rate of 0 is an exemption (docs/billing.md#tax); without any rate the seller charges no tax. */
function categoryOf({ explanation: { taxRate } }: InvoiceLine, isOutsideOfVat: boolean): TaxCategory {
  if (isOutsideOfVat) return { code: 'O' };
  const rate = quantity(taxRate ?? '0');
  return isZero(rate) ? { code: 'E', rate: '0' } : { code: 'S', rate: exactText(rate) };
}

const groupKey = ({ code, rate = '' }: TaxCategory): string => `${code} ${rate}`;

function pricing(
  { quantity: counted }: InvoiceLine,
  net: Money,
  currency: string,
): Pick<EInvoiceLine, 'billedQuantity' | 'price' | 'baseQuantity'> {
  const units = quantity(counted ?? '1');
  const positive = (isNegative(units) ? counted!.slice(1) : counted) ?? '1';
  const baseQuantity = isZero(units) ? '1' : positive;
  const price = twoDecimals(isNegativeMoney(net) ? negate(net) : net, currency);
  if (isZeroMoney(net)) return { billedQuantity: positive, price, baseQuantity };
  return { billedQuantity: isNegativeMoney(net) ? `-${baseQuantity}` : baseQuantity, price, baseQuantity };
}

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
