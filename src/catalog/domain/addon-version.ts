import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { PublishedVersion } from './plan-state.js';
import type { PriceContent } from '../../pricing/price-content.js';

export const INVOICE_WHEN = ['invoice_on_attach', 'invoice_on_subscription_end'] as const;
export const BILLING_FREQUENCIES = ['one_time', 'recurring'] as const;

/** Charges and features of an add-on. They never change; the prices are hashed, like the prices of a plan version. */
export interface AddonVersion {
  readonly versionId: Uuid;
  readonly content: PriceContent;
  readonly contentHash: string;
  readonly features: PublishedVersion['features'];
  /** Time at which charges in advance are invoiced. */
  readonly invoiceWhen: (typeof INVOICE_WHEN)[number];
  /** `recurring`: charged in every period, also after renewals. */
  readonly billingFrequency: (typeof BILLING_FREQUENCIES)[number];
  readonly createdAt: Instant;
}

/** An add-on, which a subscription can have besides its plan. */
export interface Addon {
  readonly addonId: Uuid;
  readonly name: string;
  readonly description: string | null;
  readonly version: AddonVersion;
}
