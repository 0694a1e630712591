import { addonTypeOf } from '../../src/catalog/domain/addon.js';
import type { AddonEvent } from '../../src/catalog/domain/events.js';
import type { AddonRow } from '../../src/catalog/read-models.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { change, type Projection } from '../runtime/projection.js';
import { addons } from './schema.js';

export const addonsProjection: Projection = {
  name: 'addons',
  version: 1,
  tables: { addons },
  categories: ['addon'],
  on: {
    AddonDefined: ({ data, metadata: { org }, revision }: RecordedEvent<AddonEvent>) => {
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
};
