import { PLAN_REF } from '../../catalog/plan-ref-schema.js';
import {
  flag,
  freeForm,
  integer,
  listOf,
  named,
  object,
  oneOf,
  text,
  type Schema,
} from '../../platform/http/openapi/schema.js';
import { instant, wireId } from '../../platform/http/openapi/values.js';
import { SUBSCRIPTION_FILTER } from '../filter-schema.js';

/** Views have them as text. */
const ADDON_TYPE: Schema<string> = oneOf(['flat', 'usage_based']);
const FREQUENCY: Schema<string> = oneOf(['one_time', 'recurring']);

const FIELDS = {
  addon_subscription_id: wireId('addon_sub'),
  start_date: instant(),
  /** Shown as the end of a subscription is. */
  end_date: instant(),
  addon: named(
    'AddonRef',
    object({
      addon_name: text(),
      addon_id: wireId('addon'),
      addon_type: ADDON_TYPE,
      billing_frequency: FREQUENCY,
    }),
  ),
  fully_billed: flag(),
};

/** Wire shape of an add-on subscription (docs/contract.md#add-on-subscription). */
export const ADDON_SUBSCRIPTION = named('AddonSubscription', object(FIELDS));

/** The answer of attaching and cancelling: with what was sent, and the subscription it is on. */
export const CHANGED_ADDON = named(
  'ChangedAddon',
  object({
    ...FIELDS,
    quantity: integer({ minimum: 1 }),
    metadata: freeForm(),
    parent: object({
      subscription_id: wireId('sub'),
      start_date: instant(),
      end_date: instant(),
      subscription_filters: listOf(SUBSCRIPTION_FILTER),
      plan: PLAN_REF,
    }),
  }),
);
