import type { CalculationStep } from '../../../../clients/typescript/src/index.js';

/** Formats exact figures of the API for the reader. */
export interface ExactFormat {
  readonly units: (text: string) => string;
  readonly amount: (text: string) => string;
  readonly share: (text: string) => string;
}

/** Says how the amount of a step comes from its price. */
export function amountOfStep({ what, units, ...step }: CalculationStep, format: ExactFormat): string {
  const { prorated, fraction, rounded_before: before, rounded_up_to: upTo } = step;
  const [price, amount] = [format.amount(step.price), format.amount(step.amount)];
  if (what === 'usage_paid_by_prepaid_units')
    return `${amount}: the price of ${format.units(units)} ${units === '1' ? 'unit' : 'units'}, of ${format.units(step.prepaid_units ?? '0')} prepaid`;
  if (!prorated) return `${price}, not ${fraction === '0' ? 'charged' : 'prorated'}`;
  if (before === null || upTo === null)
    return `${price} × ${format.share(fraction)} of the period = ${amount}`;
  return `round(${price} × ${format.share(upTo)} of the period) − round(${price} × ${format.share(before)}) = ${amount}`;
}
