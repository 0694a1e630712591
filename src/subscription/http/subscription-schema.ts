import { PLAN_REF } from '../../catalog/plan-ref-schema.js';
import { CUSTOMER_SUMMARY } from '../../customer/customer-schema.js';
import {
  either,
  flag,
  freeForm,
  integer,
  listOf,
  named,
  object,
  reference,
  type Shown,
} from '../../platform/http/openapi/schema.js';
import { instant, wireId } from '../../platform/http/openapi/values.js';
import type { QueryParams } from '../../platform/http/query/query-params.js';
import { ADDON_SUBSCRIPTION, ADDON_SUBSCRIPTION_FIELDS } from './addon-subscription-schema.js';
import { SUBSCRIPTION_FILTER } from '../filter-schema.js';

const FIELDS = {
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
};

/** Wire shape of a subscription (docs/contract.md#subscription). */
export const SUBSCRIPTION = named('Subscription', object(FIELDS));

/** The answer of attaching and cancelling an add-on: with what was sent, and the subscription it is on. */
export const CHANGED_ADDON = named(
  'ChangedAddon',
  object({
    ...ADDON_SUBSCRIPTION_FIELDS,
    customer: CUSTOMER_SUMMARY,
    auto_renew: flag(),
    quantity: integer({ minimum: 1 }),
    metadata: freeForm(),
    /** `plan` is `billing_plan` under the name that a term has in answers about access. */
    parent: object({ ...FIELDS, plan: PLAN_REF }),
  }),
);

export type SubscriptionResource = Shown<typeof SUBSCRIPTION>;

/** Answer of a dry run: the invoices that the operation would make, each shown as a draft. */
const INVOICE_PREVIEW = named('InvoicePreview', object({ invoices: listOf(reference<object>('Invoice')) }));

/** Answer of an operation, or with `?preview=true` of its dry run. */
export const SUBSCRIPTION_OR_PREVIEW = either(SUBSCRIPTION, INVOICE_PREVIEW);

/** Asked of an act: nothing is stored, and the answer is what it would bring. */
export const PREVIEW = { preview: (q: QueryParams) => q.flag('preview', false) };
