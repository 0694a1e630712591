import type { PublishedVersion, PlanVersion } from '../../../src/catalog/domain/plan-state.js';
import type { Metric } from '../../../src/catalog/domain/metric.js';
import type { MetricProposal } from '../../../src/catalog/domain/metric-definition.js';
import type { CreatePlanCommand, VersionDraft } from '../../../src/catalog/domain/publish-version.js';
import type { PriceContent } from '../../../src/pricing/price-content.js';
import { contentHash } from '../../../src/kernel/canonical-json.js';
import { instant } from '../../../src/kernel/instant.js';
import { aCharge, aComponent, aContent, freeUpTo, perUnit } from './billing.js';
import { aCounter } from './metering.js';

export const PLAN_ID = '11111111-0000-4000-8000-000000000001';
export const VERSION_ID = '22222222-0000-4000-8000-000000000001';
export const METRIC_ID = '33333333-0000-4000-8000-000000000001';
export const FEATURE_ID = '44444444-0000-4000-8000-000000000001';
export const CUSTOMER_KEY = '55555555-0000-4000-8000-000000000001';

/** A counter of requests. */
export const aMetricProposal = (changes: Partial<MetricProposal> = {}): MetricProposal => ({
  ...(aCounter() as MetricProposal),
  ...changes,
});

export function aMetric(changes: Partial<Metric> = {}): Metric {
  const definition = aCounter({ granularity: 'total' });
  return {
    metricId: METRIC_ID,
    name: 'requests',
    definition,
    definitionHash: contentHash(definition),
    archivedAt: null,
    ...changes,
  };
}

/** 30.00 a month in advance; 100 requests free, then 0.50 per started 1,000. */
export function aPriceContent(changes: Partial<PriceContent> = {}): PriceContent {
  const { metricId, name, definition, definitionHash } = aMetric();
  return aContent({
    recurringCharges: [aCharge({ name: 'platform fee', amount: '30' })],
    components: [
      aComponent({
        metricId,
        metricName: name,
        metric: definition,
        metricHash: definitionHash,
        tiers: [freeUpTo('100'), { ...perUnit('0.5', '100'), unitsPerBatch: '1000', rounding: 'round_up' }],
      }),
    ],
    ...changes,
  });
}

export const aVersionDraft = (changes: Partial<VersionDraft> = {}): VersionDraft => ({
  versionId: VERSION_ID,
  number: 1,
  content: aPriceContent(),
  localizedName: null,
  dayAnchor: null,
  monthAnchor: null,
  targetCustomerKeys: [],
  features: [{ featureId: FEATURE_ID, name: 'support', description: null }],
  ...changes,
});

export const aPlanCommand = (changes: Partial<CreatePlanCommand> = {}): CreatePlanCommand => ({
  type: 'CreatePlan',
  planId: PLAN_ID,
  name: 'Basic',
  description: null,
  duration: 'monthly',
  tags: [],
  externalLinks: [],
  initialVersion: aVersionDraft(),
  ...changes,
});

function aPublishedVersion(changes: Partial<PublishedVersion> = {}): PublishedVersion {
  const { number, ...draft } = aVersionDraft();
  const at = instant('2026-01-01T00:00:00Z');
  const content = changes.content ?? draft.content;
  return {
    ...draft,
    number: number ?? 1,
    contentHash: contentHash(content),
    activeFrom: at,
    createdAt: at,
    ...changes,
  };
}

export const aPlanVersion = (changes: Partial<PlanVersion> = {}): PlanVersion => ({
  ...aPublishedVersion(),
  activeTo: null,
  replacedBy: null,
  deletedAt: null,
  ...changes,
});
