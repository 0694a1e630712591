import type { CatalogVersion } from '../../catalog/plan-catalog.js';
import type { CustomerSummary } from '../../customer/customer-directory.js';
import { toWireId } from '../../kernel/ids.js';
import { formatInstant, plusMicros } from '../../kernel/instant.js';
import { toAddonResource } from './addon-resource.js';
import type { SubscriptionView } from '../queries/subscription-view.js';
import type { SubscriptionResource } from './subscription-schema.js';

export function toResource(
  view: SubscriptionView,
  customer: CustomerSummary,
  { planId, planName, version }: CatalogVersion,
): SubscriptionResource {
  return {
    subscription_id: toWireId('sub', view.subscriptionId),
    start_date: formatInstant(view.start),
    end_date: formatInstant(view.scheduledEnd ? plusMicros(view.end, -1n) : view.end),
    auto_renew: view.autoRenew,
    is_new: view.isNew,
    subscription_filters: view.filters.map(({ propertyName, value }) => ({
      property_name: propertyName,
      value,
    })),
    customer,
    billing_plan: {
      plan_name: planName,
      plan_id: toWireId('plan', planId),
      version_id: toWireId('plan_version', version.versionId),
      version: version.number === 'custom_version' ? 0 : version.number,
    },
    fully_billed: view.fullyBilled,
    addons: view.addons.map(toAddonResource),
    metadata: view.metadata,
  };
}
