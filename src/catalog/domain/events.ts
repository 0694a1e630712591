import type { DomainEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { PlanDuration } from '../../kernel/period.js';
import type { MetricDefinition, PriceContent } from './price-content.js';

export type MetricEvent = DomainEvent<
  'MetricDefined',
  {
    readonly metricId: Uuid;
    readonly name: string;
    readonly definition: MetricDefinition;
    readonly definitionHash: string;
  }
>;

export type FeatureEvent = DomainEvent<
  'FeatureDefined',
  { readonly featureId: Uuid; readonly name: string; readonly description: string | null }
>;

export interface ExternalPlanLink {
  readonly source: 'provider_a' | 'provider_b';
  readonly externalPlanId: string;
}

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

export type PlanEvent =
  | DomainEvent<
      'PlanCreated',
      {
        readonly planId: Uuid;
        readonly name: string;
        readonly description: string | null;
        readonly duration: PlanDuration | null;
        readonly tags: readonly string[];
        readonly externalLinks: readonly ExternalPlanLink[];
        readonly createdAt: Instant;
      }
    >
  | DomainEvent<'PlanVersionPublished', { readonly planId: Uuid; readonly version: PublishedVersion }>;
