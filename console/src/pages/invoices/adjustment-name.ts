import type { ExplainedLine } from '../../../../clients/typescript/src/index.js';

type Adjustment = ExplainedLine['adjustments'][number];

/** Names of the rules whose figure is the amount beside the name. */
const RULES: Readonly<Record<string, string>> = {
  credit_drawdown: 'Paid with credit',
  credit_grant: 'Credit granted',
  credit_purchase: 'Credit purchased',
  invoice_reduction: 'Taken off an earlier invoice',
};

/**
 * Names an adjustment of a line with the percent or the amount that it is calculated by.
 * @param format formats a decimal text for the reader
 */
export function adjustmentName(
  { rule, figure, adjustment_type: type }: Adjustment,
  format: (figure: string) => string,
): string {
  const text = figure === null ? '' : format(figure);
  switch (rule) {
    case 'tax_rate':
      return figure === null ? 'Tax' : `Tax of ${text} %`;
    case 'percentage':
      return `Price adjustment of ${text} %`;
    case 'fixed':
      return `Price adjustment of ${text}`;
    case 'price_override':
      return `Price set to ${text}`;
    default:
      return RULES[rule] ?? type.replaceAll('_', ' ');
  }
}
