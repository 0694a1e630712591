import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { PriceContent } from '../../pricing/price-content.js';

/** A plan version as it is published. */
export interface PublishedVersion {
  readonly versionId: Uuid;
  readonly number: number | 'custom_version';
  readonly content: PriceContent;
  readonly contentHash: string;
  readonly localizedName: string | null;
  readonly dayAnchor: number | null;
  readonly monthAnchor: number | null;
  readonly targetCustomerKeys: readonly Uuid[];
  readonly features: readonly {
    readonly featureId: Uuid;
    readonly name: string;
    readonly description: string | null;
  }[];
  /** Null: not started. */
  readonly activeFrom: Instant | null;
  readonly createdAt: Instant;
}
