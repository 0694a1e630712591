/** What must be unique across streams (architecture.md section 3.2). */
export type ClaimKind = 'customer_id' | 'email' | 'plan_name' | 'addon_name' | 'metric_name' | 'feature_name';

export interface Claim {
  readonly kind: ClaimKind;
  /** The text that must be unique; personal data only as a keyed hash. */
  readonly key: string;
}
