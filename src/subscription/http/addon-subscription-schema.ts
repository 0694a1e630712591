import { flag, named, object, oneOf, text, type Schema } from '../../platform/http/openapi/schema.js';
import { instant, wireId } from '../../platform/http/openapi/values.js';

/** Views have them as text. */
const ADDON_TYPE: Schema<string> = oneOf(['flat', 'usage_based']);
const FREQUENCY: Schema<string> = oneOf(['one_time', 'recurring']);

export const ADDON_SUBSCRIPTION_FIELDS = {
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
export const ADDON_SUBSCRIPTION = named('AddonSubscription', object(ADDON_SUBSCRIPTION_FIELDS));
