import type { DomainEvent, EventSentences } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { PlanDuration } from '../../kernel/period.js';
import type { Addon } from './addon-version.js';
import type { MetricDefinition } from '../../pricing/price-content.js';
import type { ExternalPlanLink, PublishedVersion } from './plan-state.js';

export type MetricEvent =
  | DomainEvent<
      'MetricDefined',
      {
        readonly metricId: Uuid;
        readonly name: string;
        readonly definition: MetricDefinition;
        readonly definitionHash: string;
      }
    >
  /** After it no version can be published with the metric. */
  | DomainEvent<'MetricArchived', { readonly metricId: Uuid; readonly archivedAt: Instant }>;

export type FeatureEvent = DomainEvent<
  'FeatureDefined',
  { readonly featureId: Uuid; readonly name: string; readonly description: string | null }
>;

/** Events of an add-on. The first one has the complete add-on, which never changes. */
export type AddonEvent = DomainEvent<'AddonDefined', Addon>;

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
  | DomainEvent<
      'PlanDetailsChanged',
      { readonly planId: Uuid; readonly name: string; readonly description: string | null }
    >
  | DomainEvent<'PlanTagsChanged', { readonly planId: Uuid; readonly tags: readonly string[] }>
  /** Follows the deletions of all versions in one append. */
  | DomainEvent<'PlanDeleted', { readonly planId: Uuid; readonly deletedAt: Instant }>
  | DomainEvent<'PlanVersionPublished', { readonly planId: Uuid; readonly version: PublishedVersion }>
  | VersionEvent<'PlanVersionFeaturesChanged', Pick<PublishedVersion, 'features'>>
  /** Number of a version that becomes public; null for a version with targets. */
  | VersionEvent<'PlanVersionTargetsChanged', Pick<PublishedVersion, 'targetCustomerKeys' | 'number'>>
  | VersionEvent<
      'PlanVersionWindowChanged',
      { readonly activeFrom: Instant | null; readonly activeTo: Instant | null }
    >
  | VersionEvent<'PlanVersionRenamed', Pick<PublishedVersion, 'localizedName'>>
  /** Version that subscriptions renew to; null if they keep this one. */
  | VersionEvent<'PlanVersionReplaced', { readonly replacedBy: Uuid | null }>
  | VersionEvent<'PlanVersionDeleted', { readonly deletedAt: Instant }>;

/** Change of one version; its price content never changes. */
type VersionEvent<Type extends string, Change extends object> = DomainEvent<
  Type,
  Change & { readonly planId: Uuid; readonly versionId: Uuid }
>;

/** Sentences of the audit log, one per event type. */
export const CATALOG_EVENT_SENTENCES: EventSentences<MetricEvent | FeatureEvent | AddonEvent | PlanEvent> = {
  AddonDefined: 'The add-on was created.',
  FeatureDefined: 'The feature was created.',
  MetricArchived: 'The metric was archived.',
  MetricDefined: 'The metric was created.',
  PlanCreated: 'The plan was created.',
  PlanDeleted: 'The plan was deleted.',
  PlanDetailsChanged: 'The name or description of the plan was changed.',
  PlanTagsChanged: 'The tags of the plan were changed.',
  PlanVersionDeleted: 'A version of the plan was deleted.',
  PlanVersionFeaturesChanged: 'The features of a version of the plan were changed.',
  PlanVersionPublished: 'A version of the plan was created.',
  PlanVersionRenamed: 'A version of the plan was renamed.',
  PlanVersionReplaced: 'The replacement of a version of the plan was changed.',
  PlanVersionTargetsChanged: 'The target customers of a version of the plan were changed.',
  PlanVersionWindowChanged: 'The time in which a version of the plan is sold was changed.',
};
