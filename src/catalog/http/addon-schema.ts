import { listOf, named, nullable, object, oneOf, text } from '../../platform/http/openapi/schema.js';
import { instant, PRICING_UNIT, wireId } from '../../platform/http/openapi/values.js';
import { BILLING_FREQUENCIES, INVOICE_WHEN } from '../domain/addon-version.js';
import { FEATURE } from '../present-feature.js';
import { PRICES } from './version-schema.js';

const KIND = { addon_type: oneOf(['flat', 'usage_based']), billing_frequency: oneOf(BILLING_FREQUENCIES) };

/** Addon (docs/contract.md#add-on-subscription), with what it charges. */
export const ADDON = named(
  'Addon',
  object({
    addon_id: wireId('addon'),
    addon_name: text(),
    addon_description: nullable(text()),
    ...KIND,
    versions: listOf(
      named(
        'AddonVersion',
        object({
          addon_version_id: wireId('addon_version'),
          ...KIND,
          invoice_when: oneOf(INVOICE_WHEN),
          currency: PRICING_UNIT,
          ...PRICES,
          features: listOf(FEATURE),
          created_on: instant(),
        }),
      ),
    ),
  }),
);
