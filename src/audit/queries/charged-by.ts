import type { InvoiceLine } from '../../billing/accounts/domain/event-data.js';
import type { PlanComponent, PriceContent, RecurringCharge } from '../../pricing/price-content.js';

/** The price of a plan version that a line charges. */
export type Charged =
  | { readonly kind: 'recurring'; readonly charge: RecurringCharge }
  | { readonly kind: 'usage' | 'prepaid'; readonly component: PlanComponent };

/** As `sourceKey` of the schedule writes it: the part of a charge key that names what is charged. */
const SOURCE = /^[^/]+\/[^/]+\/(charge|usage|prepaid)\.([^/]+)\//;

/** Null for a line that charges nothing of the version. */
export function chargedBy({ chargeKey }: InvoiceLine, content: PriceContent): Charged | null {
  const [, kind, name] = SOURCE.exec(chargeKey) ?? [];
  if (kind === 'charge') {
    const charge = content.recurringCharges[Number(name)];
    return charge ? { kind: 'recurring', charge } : null;
  }
  const component = content.components.find(({ metricId }) => metricId === name);
  return component && (kind === 'usage' || kind === 'prepaid') ? { kind, component } : null;
}
