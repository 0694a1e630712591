import type { ExplainedLine, InvoiceLineItem } from '../../../../clients/typescript/src/index.js';
import { sumExactly } from '../../shared/exact-sum.js';

type Line = Pick<InvoiceLineItem, 'amount' | 'subtotal' | 'adjustments'>;

/** Tax at one rate. */
interface TaxRow {
  /** Percent as decimal text; null: not known. */
  readonly rate: string | null;
  /** Sum of the lines with this rate, before tax. */
  readonly on: number;
  readonly tax: number;
}

interface InvoiceTotals {
  /** Sum of the sold lines before tax. */
  readonly subtotal: number;
  /** One per rate; empty where no line has tax. */
  readonly taxes: readonly TaxRow[];
}

/** Tells whether a line says what the customer bought; the others settle the invoice with credits. */
export const isSold = ({ adjustments }: Pick<Line, 'adjustments'>): boolean =>
  adjustments.every(({ adjustment_type: type }) => type !== 'credit');

/** Amount of a line as the PDF shows it: before tax, or what a credit pays. */
export const shownAmount = (line: Line): number => (isSold(line) ? line.subtotal : line.amount);

const taxOf = ({ adjustments }: Line): number =>
  sumExactly(
    adjustments
      .filter(({ adjustment_type: type }) => type === 'sales_tax')
      .map(({ amount }) => Number(amount)),
  );

/**
 * Sums the sold lines before tax, and their tax by rate. With the lines that settle the invoice, it is its amount.
 * @param rates rate of each line; undefined: the taxes are one sum
 */
export function totalsOf(lines: readonly Line[], rates?: readonly (string | null)[]): InvoiceTotals {
  const sold = lines.map((line, index) => ({ line, rate: rates?.[index] ?? null }));
  const rows = sold.filter(({ line }) => isSold(line));
  const subtotalOf = (part: typeof rows): number => sumExactly(part.map(({ line }) => line.subtotal));
  const taxed = rows.filter(({ line, rate }) => rate !== null || taxOf(line) !== 0);
  const hasTax = taxed.some(({ line }) => taxOf(line) !== 0);
  const ofRates = [...new Set(taxed.map(({ rate }) => rate))].sort((a, b) => Number(a) - Number(b));
  const groups = ofRates.map((rate): TaxRow => {
    const part = taxed.filter((row) => row.rate === rate);
    return { rate, on: subtotalOf(part), tax: sumExactly(part.map(({ line }) => taxOf(line))) };
  });
  return { subtotal: subtotalOf(rows), taxes: hasTax ? groups : [] };
}

/** Tax rate of each line, in the order of the invoice. */
export const ratesOf = (lines: readonly ExplainedLine[]): (string | null)[] =>
  lines.map(
    ({ adjustments, inputs }) =>
      adjustments.find(({ rule }) => rule === 'tax_rate')?.figure ?? (inputs.tax_rate as string | null),
  );
