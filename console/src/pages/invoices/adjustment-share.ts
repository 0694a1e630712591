import type { ExplainedLine } from '../../../../clients/typescript/src/index.js';

type Allocation = NonNullable<ExplainedLine['adjustments'][number]['allocation']>;

/** Formats figures of the API for the reader. */
interface Format {
  readonly amount: (amount: number) => string;
  readonly exact: (text: string) => string;
}

/** Largest number of lines that are named one by one. */
const MOST_NAMED = 5;

/**
 * Says how an adjustment of a line comes from a total of several lines; nothing where it is calculated from its line
 * alone.
 */
export function shareOfAdjustment(
  { line, figure, allocation }: { line: number; figure: string | null; allocation: Allocation | null },
  { amount, exact }: Format,
): readonly string[] {
  if (!allocation) return [];
  const { total, base, own_base: own, lines, carried_back: back, of_period: period } = allocation;
  const places = lines.length > MOST_NAMED ? `${lines.length} lines` : `lines ${lines.join(', ')}`;
  const isShared = lines.length > 1 && lines.includes(line);
  return [
    ...(period && figure !== null ? [periodText(period, exact(figure), { amount, exact })] : []),
    ...(isShared ? [`Share of ${amount(total)}, by ${amount(own)} of ${amount(base)} on ${places}`] : []),
    ...(back === 0 ? [] : [`Carried back ${amount(back)} of the charge that it reduces`]),
  ];
}

function periodText(
  { rounded_before: before, rounded_up_to: upTo, ...of }: NonNullable<Allocation['of_period']>,
  figure: string,
  { amount, exact }: Format,
): string {
  const factor = (text: string) => `${figure} × ${exact(text)}`;
  const prorated = before === '0' ? factor(upTo) : `round(${factor(upTo)}) − round(${factor(before)})`;
  return `Of the period ${prorated} = ${amount(of.amount)}, on ${amount(of.base)}, given ${amount(of.adjusted)}`;
}
