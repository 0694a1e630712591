import { ChargeKey } from '../../billing/accounts/domain/charge-key.js';
import type { InvoiceLine } from '../../billing/accounts/domain/event-data.js';
import type { PlanComponent, PriceContent, RecurringCharge } from '../../pricing/price-content.js';

/** The price of a plan version that a line charges. */
export type Charged =
  | { readonly kind: 'recurring'; readonly charge: RecurringCharge }
  | { readonly kind: 'usage' | 'prepaid'; readonly component: PlanComponent };

/** Finds the price that a line charges; null for a line that charges no price of the version. */
export function chargedBy({ chargeKey }: InvoiceLine, content: PriceContent): Charged | null {
  const source = ChargeKey.parse(chargeKey).source;
  if (source === null) return null;
  const { kind, name } = source;
  if (kind === 'charge') {
    const charge = content.recurringCharges[Number(name)];
    return charge ? { kind: 'recurring', charge } : null;
  }
  const component = content.components.find(({ metricId }) => metricId === name);
  return component ? { kind, component } : null;
}
