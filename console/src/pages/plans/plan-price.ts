import type { Plan } from '../../../../clients/typescript/src/index.js';
import { formatAmount } from '../../shared/amount.js';
import { sumExactly } from '../../shared/exact-sum.js';
import { intervalText } from './interval-text.js';

type Priced = Pick<Plan, 'plan_duration' | 'display_version'>;

/** Recurring price of a plan with its interval, such as `$1,200.50 monthly`; undefined without recurring charges. */
export function planPrice({ plan_duration: duration, display_version: version }: Priced): string | undefined {
  const amounts = new Map<string, number[]>();
  for (const charge of version.recurring_charges) {
    const interval = intervalText(charge, duration);
    amounts.set(interval, [...(amounts.get(interval) ?? []), charge.amount]);
  }
  if (amounts.size === 0) return undefined;
  const { code } = version.currency;
  return [...amounts]
    .map(([interval, all]) => `${formatAmount(sumExactly(all), code)} ${interval}`)
    .join(' and ');
}
