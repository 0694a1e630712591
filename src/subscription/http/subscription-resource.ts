import type { SoldVersion } from '../../catalog/plan-catalog.js';
import type { CustomerSummary } from '../../customer/customer-directory.js';
import { toWireId } from '../../kernel/ids.js';
import { formatInstant, plusMicros } from '../../kernel/instant.js';
import { toAddonResource, type AddonSubscriptionResource } from './addon-resource.js';
import type { SubscriptionView } from '../queries/subscription-view.js';

/** PlanRef of api.md 2.1; the version of a custom version is 0. */
interface PlanRef {
  readonly plan_name: string;
  readonly plan_id: string;
  readonly version_id: string;
  readonly version: number;
}

/** Subscription of api.md 2.1. */
export interface SubscriptionResource {
  readonly subscription_id: string;
  readonly start_date: string;
  /** A boundary is shown as the last microsecond before it, an end that was set as that instant. */
  readonly end_date: string;
  readonly auto_renew: boolean;
  readonly is_new: boolean;
  readonly subscription_filters: readonly { readonly property_name: string; readonly value: string }[];
  readonly customer: CustomerSummary;
  readonly billing_plan: PlanRef;
  readonly fully_billed: boolean;
  readonly addons: readonly AddonSubscriptionResource[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

export function toResource(
  view: SubscriptionView,
  customer: CustomerSummary,
  { planId, planName, version }: SoldVersion,
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
