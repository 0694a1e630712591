import { PLAN_REF } from '../../catalog/plan-ref-schema.js';
import { CUSTOMER_SUMMARY } from '../../customer/customer-schema.js';
import {
  anything,
  either,
  flag,
  freeForm,
  listOf,
  named,
  object,
  type Shown,
} from '../../platform/http/openapi/schema.js';
import { instant, wireId } from '../../platform/http/openapi/values.js';
import type { QueryParams } from '../../platform/http/query/query-params.js';
import { ADDON_SUBSCRIPTION } from './addon-subscription-schema.js';
import { SUBSCRIPTION_FILTER } from '../filter-schema.js';

/** Wire shape of a subscription (docs/contract.md#subscription). */
export const SUBSCRIPTION = named(
  'Subscription',
  object({
    subscription_id: wireId('sub'),
    start_date: instant(),
    /** A boundary is shown as the last microsecond before it, an end that was set as that instant. */
    end_date: instant(),
    auto_renew: flag(),
    is_new: flag(),
    subscription_filters: listOf(SUBSCRIPTION_FILTER),
    customer: CUSTOMER_SUMMARY,
    billing_plan: PLAN_REF,
    fully_billed: flag(),
    addons: listOf(ADDON_SUBSCRIPTION),
    metadata: freeForm(),
  }),
);

export type SubscriptionResource = Shown<typeof SUBSCRIPTION>;

/** Answer of an operation, or with `?preview=true` the invoices that it would make, each shown as a draft. */
export const SUBSCRIPTION_OR_PREVIEW = either(SUBSCRIPTION, object({ invoices: listOf(anything()) }));

/** Asked of an act: nothing is stored, and the answer is what it would bring. */
export const PREVIEW = { preview: (q: QueryParams) => q.flag('preview', false) };
