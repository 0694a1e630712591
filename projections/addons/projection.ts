import { addonTypeOf } from '../../src/catalog/domain/addon.js';
import type { AddonRow } from '../../src/catalog/read-models.js';
import { defineProjection } from '../events.js';
import { change } from '../runtime/projection.js';
import { addons } from './tables.js';

export const addonsProjection = defineProjection({
  name: 'addons',
  version: 1,
  tables: { addons },
  on: {
    AddonDefined: ({ data, metadata: { org }, revision }) => {
      const { addonId, name, description, version } = data;
      return [
        change<AddonRow>('addons', { org, addon_id: addonId }, () => ({
          org,
          addon_id: addonId,
          name,
          description,
          addon_type: addonTypeOf(version.content),
          version_id: version.versionId,
          currency: version.content.currency,
          recurring_charges: version.content.recurringCharges,
          components: version.content.components,
          features: version.features,
          invoice_when: version.invoiceWhen,
          billing_frequency: version.billingFrequency,
          content_hash: version.contentHash,
          created_at: version.createdAt,
          stream_revision: revision.toString(),
        })),
      ];
    },
  },
});
