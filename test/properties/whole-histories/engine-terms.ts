import type { InvoiceLine } from '../../../src/billing/accounts/domain/event-data.js';
import type { RunTerm } from '../../../src/billing/rating/run.js';
import type { PricedVersion } from '../../../src/subscription/domain/term-periods.js';
import type { Subscription } from '../../../src/subscription/domain/subscription-state.js';
import type { Line } from '../../calculator/history.js';

export interface Running {
  state: Subscription;
  readonly name: string;
  readonly offer: PricedVersion;
}

/** As a run reads it. */
export const runTermOf = ({ state, offer: { content, contentHash }, name }: Running): RunTerm => {
  const { term, renewal, cancelled, switched, endMoved, prepaidChanges } = state;
  return {
    ...{ term, renewal, endMoved, prepaidChanges, revision: '0', content, contentHash },
    cut: cancelled ? 'cancelled' : switched ? 'switched' : null,
    ...(cancelled ? { cancelled } : {}),
    ...(switched ? { switched } : {}),
    ...{ planRevision: '1', planName: name, versionNumber: 1 },
  };
};

/** As the calculator writes it. */
export function lineOf({ name, quantity: shown, billingType, base, adjustments, amount }: InvoiceLine): Line {
  const of = (type: string) =>
    adjustments.filter((one) => one.type === type).reduce((sum, one) => sum + BigInt(one.amount.amount), 0n);
  return {
    ...{ name, quantity: shown, billing_type: billingType, base: BigInt(base.amount) },
    ...{ plan_adjustment: of('plan_adjustment'), sales_tax: of('sales_tax'), credit: of('credit') },
    amount: BigInt(amount.amount),
  };
}
