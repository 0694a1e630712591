import { toWireId } from '../../kernel/ids.js';
import { formatInstant, plusMicros } from '../../kernel/instant.js';
import type { Shown } from '../../platform/http/openapi/schema.js';
import type { AddonView } from '../queries/addon-view.js';
import type { ADDON_SUBSCRIPTION, CHANGED_ADDON } from './addon-subscription-schema.js';
import type { SubscriptionResource } from './subscription-schema.js';

export const toAddonResource = (view: AddonView): Shown<typeof ADDON_SUBSCRIPTION> => ({
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

/** The answer of attaching and cancelling: with what was sent, and the subscription it is on as access shows one. */
export const toChangedAddon = (
  view: AddonView,
  { subscription_id, start_date, end_date, subscription_filters, billing_plan: plan }: SubscriptionResource,
): Shown<typeof CHANGED_ADDON> => ({
  ...toAddonResource(view),
  quantity: view.quantity,
  metadata: view.metadata,
  parent: { subscription_id, start_date, end_date, subscription_filters, plan },
});
