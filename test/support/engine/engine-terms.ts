import type { InvoiceLine } from '../../../src/billing/accounts/domain/event-data.js';
import type { RunTerm } from '../../../src/billing/rating/run.js';
import { contentHash } from '../../../src/kernel/canonical-json.js';
import { namedId } from '../../../src/kernel/ids.js';
import type { PlanComponent, PriceContent } from '../../../src/pricing/price-content.js';
import type { AddonToAttach } from '../../../src/subscription/domain/attach-addon.js';
import type { TermAddon } from '../../../src/subscription/domain/events.js';
import type { PricedVersion } from '../../../src/subscription/domain/term-periods.js';
import type { TermState } from '../../../src/subscription/domain/term-state.js';
import type { Line } from '../../calculator/history.js';

export interface Running {
  state: TermState;
  readonly name: string;
  readonly version: PricedVersion;
}

/** Returns the term as a run reads it. */
export const runTermOf = (
  { state, version: { content, contentHash: hash } }: Running,
  planName: string,
): RunTerm => {
  const { term, renewal, cancelled, switched, endMoved, prepaidChanges } = state;
  return {
    term,
    renewal,
    endMoved,
    prepaidChanges,
    revision: '0',
    content,
    contentHash: hash,
    endedBy: cancelled ? 'cancelled' : switched ? 'switched' : null,
    ...(cancelled ? { cancelled } : {}),
    ...(switched ? { switched } : {}),
    planRevision: '1',
    planName,
    versionNumber: 1,
  };
};

/** An add-on that can be attached. */
export interface AddonOnSale extends Pick<TermAddon, 'name' | 'billingFrequency' | 'invoiceWhen'> {
  readonly content: PriceContent;
}

/** Returns an add-on as a command attaches it to a term of a plan with these components. */
export const addonToAttach = (
  { name, content, billingFrequency, invoiceWhen }: AddonOnSale,
  quantity: number,
  planMetrics: readonly PlanComponent[],
): AddonToAttach => ({
  addon: {
    addonId: namedId(name),
    addonVersionId: namedId(`version of ${name}`),
    name,
    quantity,
    metadata: {},
    billingFrequency,
    invoiceWhen,
    contentHash: contentHash(content),
    currency: content.currency,
    addonType: content.components.length > 0 ? 'usage_based' : 'flat',
    metrics: content.components,
  },
  planMetrics,
});

/** Converts a line to the calculator's form. @param planOf returns the name of a plan in the history */
export function lineOf(line: InvoiceLine, planOf: (planId: string) => string): Line {
  const { name, plan, quantity: shown, billingType, base, adjustments, amount, period } = line;
  const isoOf = (at: string) => new Date(at).toISOString();
  const of = (type: string) =>
    adjustments.filter((one) => one.type === type).reduce((sum, one) => sum + BigInt(one.amount.amount), 0n);
  return {
    plan: plan && planOf(plan.planId),
    name,
    quantity: shown,
    billing_type: billingType,
    base: BigInt(base.amount),
    plan_adjustment: of('plan_adjustment'),
    sales_tax: of('sales_tax'),
    credit: of('credit'),
    amount: BigInt(amount.amount),
    from: isoOf(period.start),
    until: isoOf(period.end),
  };
}
