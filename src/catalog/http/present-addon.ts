import { toWireId } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import { currencyUnit } from '../../kernel/money.js';
import type { Shown } from '../../platform/http/openapi/schema.js';
import { addonTypeOf } from '../domain/addon.js';
import type { Addon } from '../domain/addon-version.js';
import { presentFeature } from '../present-feature.js';
import type { ADDON } from './addon-schema.js';
import { presentPrices } from './present-prices.js';

/** Addon (docs/contract.md#add-on-subscription), with what it charges. */
export function presentAddon({ addonId, name, description, version }: Addon): Shown<typeof ADDON> {
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
