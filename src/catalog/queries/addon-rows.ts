import type { Addon } from '../domain/addon-version.js';
import type { AddonRow } from '../read-models.js';

export const addonOf = (row: AddonRow): Addon => ({
  addonId: row.addon_id,
  name: row.name,
  description: row.description,
  version: {
    versionId: row.version_id,
    content: {
      currency: row.currency,
      recurringCharges: row.recurring_charges,
      components: row.components,
      priceAdjustment: null,
    },
    contentHash: row.content_hash,
    features: row.features,
    invoiceWhen: row.invoice_when,
    billingFrequency: row.billing_frequency,
    createdAt: row.created_at,
  },
});
