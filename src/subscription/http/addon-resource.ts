import { toWireId } from '../../kernel/ids.js';
import { formatInstant, plusMicros } from '../../kernel/instant.js';
import type { AddonView } from '../queries/addon-view.js';
import type { SubscriptionResource } from './subscription-resource.js';

/** AddonSubscription of api.md 2.1. */
export interface AddonSubscriptionResource {
  readonly addon_subscription_id: string;
  readonly start_date: string;
  /** Shown as the end of a subscription is. */
  readonly end_date: string;
  readonly addon: {
    readonly addon_name: string;
    readonly addon_id: string;
    readonly addon_type: string;
    readonly billing_frequency: string;
  };
  readonly fully_billed: boolean;
}

export const toAddonResource = (view: AddonView): AddonSubscriptionResource => ({
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
) => ({
  ...toAddonResource(view),
  quantity: view.quantity,
  metadata: view.metadata,
  parent: { subscription_id, start_date, end_date, subscription_filters, plan },
});
