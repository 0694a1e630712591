import type { ExplainedLine } from '../../../../clients/typescript/src/index.js';

type Adjustment = ExplainedLine['adjustments'][number];

/** Largest number of lines that are named one by one. */
const MOST_NAMED = 5;

/**
 * Says which part of a total of several lines an adjustment is; null where it is calculated from its line alone.
 * @param format formats an amount for the reader
 */
export function shareOfAdjustment(
  { allocation }: Pick<Adjustment, 'allocation'>,
  format: (amount: number) => string,
): string | null {
  if (!allocation || allocation.lines.length < 2) return null;
  const { total, base, own_base: own, lines } = allocation;
  const places = lines.length > MOST_NAMED ? `${lines.length} lines` : `lines ${lines.join(', ')}`;
  return `Share of ${format(total)}, by ${format(own)} of ${format(base)} on ${places}`;
}
