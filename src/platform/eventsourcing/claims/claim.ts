import type { Uuid } from '../../../kernel/ids.js';

/** What must be unique across streams (docs/architecture.md#claims). */
export type ClaimKind = 'customer_id' | 'email' | 'plan_name' | 'addon_name' | 'metric_name' | 'feature_name';

export interface Claim {
  readonly kind: ClaimKind;
  /** The text that must be unique; personal data only as a keyed hash. */
  readonly key: string;
}

/** Claims of one tenant that an append takes with it, for the stream that it begins. */
export interface ClaimsToTake {
  readonly org: Uuid;
  readonly claims: readonly Claim[];
}
