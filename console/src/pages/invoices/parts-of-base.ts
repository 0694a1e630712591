import type { ExplainedLine } from '../../../../clients/typescript/src/index.js';

interface Part {
  /** In the currency of the invoice; negative where it is taken off. */
  readonly amount: number;
}

/** Parts of the base of a line: the charge, less the amounts of other lines for it. */
export type PartOfBase = Part &
  (
    | { readonly kind: 'rounded' }
    | {
        readonly kind: 'earlier';
        readonly invoice: { readonly id: string; readonly number: string | null };
        readonly line: number;
      }
    | { readonly kind: 'sibling'; readonly line: number }
  );

/**
 * Lists the parts that sum to the base of a line: what is owed under its charge key, without the lines of earlier
 * invoices and the other lines of this one. Empty for a line without a calculation, such as a credit.
 */
export function partsOfBase(
  { line, calculation }: ExplainedLine,
  lines: readonly ExplainedLine[],
): readonly PartOfBase[] {
  if (!calculation) return [];
  const siblings = lines.filter(
    (other) => other.line !== line && other.calculation?.charge_key === calculation.charge_key,
  );
  return [
    { kind: 'rounded', amount: calculation.due },
    ...calculation.earlier_lines.map(
      ({ invoice_id: id, invoice_number: number, line: place, base }): PartOfBase => ({
        kind: 'earlier',
        invoice: { id, number },
        line: place,
        amount: -base,
      }),
    ),
    ...siblings.map(({ line: place, base }): PartOfBase => ({ kind: 'sibling', line: place, amount: -base })),
  ];
}
