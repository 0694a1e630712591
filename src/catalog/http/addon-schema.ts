import { toWireId } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import { currencyUnit } from '../../kernel/money.js';
import {
  listOf,
  named,
  nullable,
  object,
  oneOf,
  text,
  type WireOf,
} from '../../platform/http/openapi/schema.js';
import { PRICING_UNIT, dateTime, wireId } from '../../platform/http/openapi/values.js';
import { BILLING_FREQUENCIES, INVOICE_WHEN, type Addon } from '../domain/addon-version.js';
import { addonTypeOf } from '../domain/addon.js';
import { FEATURE, presentFeature } from '../present-feature.js';
import { presentPrices } from './present-prices.js';
import { PRICES } from './version-schema.js';

const KIND = { addon_type: oneOf(['flat', 'usage_based']), billing_frequency: oneOf(BILLING_FREQUENCIES) };

/** Presents an add-on with its prices (docs/contract.md#add-on-subscription). */
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
          created_on: dateTime(),
        }),
      ),
    ),
  }),
);

/** Presents an add-on with its prices (docs/contract.md#add-on-subscription). */
export function presentAddon({ addonId, name, description, version }: Addon): WireOf<typeof ADDON> {
  const kind = { addon_type: addonTypeOf(version.content), billing_frequency: version.billingFrequency };
  return {
    addon_id: toWireId('addon', addonId),
    addon_name: name,
    addon_description: description,
    ...kind,
    versions: [
      {
        addon_version_id: toWireId('addon_version', version.versionId),
        ...kind,
        invoice_when: version.invoiceWhen,
        currency: currencyUnit(version.content.currency),
        ...presentPrices(version.content),
        features: version.features.map(presentFeature),
        created_on: formatInstant(version.createdAt),
      },
    ],
  };
}
