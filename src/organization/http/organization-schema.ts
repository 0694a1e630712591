import { ADDRESS } from '../../customer/customer-schema.js';
import {
  integer,
  listOf,
  named,
  nullable,
  number,
  object,
  oneOf,
  text,
} from '../../platform/http/openapi/schema.js';
import { dateTime, wireId } from '../../platform/http/openapi/values.js';
import { DOCUMENT_SETTINGS } from './document-settings.js';
import { NEW_API_KEY } from './api-key-schema.js';

/** Wire shape of the settings of an organization (docs/contract.md#organization). */
export const ORGANIZATION = named(
  'Organization',
  object({
    organization_id: wireId('org'),
    organization_name: text(),
    default_currency_code: text(),
    timezone: text(),
    /** Percent; null for no tax. */
    tax_rate: nullable(number({ minimum: 0, maximum: 999.9999 })),
    address: nullable(ADDRESS),
    email: nullable(text()),
    phone: nullable(text()),
    /** Days from issue to due date; null for no due date. */
    payment_grace_period: nullable(integer({ minimum: 0 })),
    late_event_grace_minutes: integer({ minimum: 0 }),
    subscription_filter_keys: listOf(text()),
    feature_access_policy: oneOf(['any', 'all']),
    proration_basis: oneOf(['second', 'day']),
    ...DOCUMENT_SETTINGS,
  }),
);

const SUMMARY = {
  organization_id: wireId('org'),
  organization_name: text(),
  default_currency_code: text(),
  timezone: text(),
  created_at: dateTime(),
};

/** Settings are null where they cannot be read. */
export const LISTED_ORGANIZATION = named(
  'ListedOrganization',
  object({
    ...SUMMARY,
    organization_name: nullable(SUMMARY.organization_name),
    default_currency_code: nullable(SUMMARY.default_currency_code),
    timezone: nullable(SUMMARY.timezone),
    unreadable: nullable(text()),
  }),
);

export const NEW_ORGANIZATION = named('NewOrganization', object({ ...SUMMARY, admin_key: NEW_API_KEY }));
