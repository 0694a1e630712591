import { toWireId } from '../../kernel/ids.js';
import { formatInstant, plusMicros } from '../../kernel/instant.js';
import type { Shown } from '../../platform/http/openapi/schema.js';
import type { AddonView, SubscriptionView } from '../queries/subscription-view.js';
import type { ADDON_SUBSCRIPTION } from './addon-subscription-schema.js';
import type { CHANGED_ADDON, SubscriptionResource } from './subscription-schema.js';
import type { CatalogVersion } from '../../catalog/plan-catalog.js';
import type { CustomerSummary } from '../../customer/customer-directory.js';

const toAddonResource = (view: AddonView): Shown<typeof ADDON_SUBSCRIPTION> => ({
  addon_subscription_id: toWireId('addon_sub', view.addonSubscriptionId),
  start_date: formatInstant(view.start),
  end_date: formatInstant(view.scheduledEnd ? plusMicros(view.end, -1n) : view.end),
  addon: {
    addon_name: view.name,
    addon_id: toWireId('addon', view.addonId),
    addon_type: view.addonType,
    billing_frequency: view.billingFrequency,
  },
  fully_billed: view.fullyBilled,
});

/** The answer of attaching and cancelling: with what was sent, and the subscription it is on. */
export function toChangedAddon(view: AddonView, parent: SubscriptionResource): Shown<typeof CHANGED_ADDON> {
  const addon = toAddonResource(view);
  // An add-on that was cancelled ends before its subscription.
  const isRunning = addon.end_date === parent.end_date;
  return {
    ...addon,
    customer: parent.customer,
    auto_renew: isRunning && parent.auto_renew && view.billingFrequency === 'recurring',
    quantity: view.quantity,
    metadata: view.metadata,
    parent: { ...parent, plan: parent.billing_plan },
  };
}

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
