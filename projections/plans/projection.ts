import type { PlanEvent } from '../../src/catalog/domain/events.js';
import type { PlanRow, PlanVersionRow } from '../../src/catalog/read-models.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { defineProjection, type EventOf } from '../events.js';
import { change, type RowChange } from '../runtime/projection.js';
import { plans, planVersions } from './tables.js';

export const plansProjection = defineProjection({
  name: 'plans',
  version: 2,
  tables: { plans, plan_versions: planVersions },
  on: {
    PlanCreated: ({ data, metadata: { org }, revision }) => [
      change<PlanRow>('plans', { org, plan_id: data.planId }, () => ({
        org,
        plan_id: data.planId,
        name: data.name,
        description: data.description,
        duration: data.duration,
        tags: data.tags,
        external_links: data.externalLinks,
        created_at: data.createdAt,
        deleted_at: null,
        stream_revision: revision.toString(),
      })),
    ],
    PlanDetailsChanged: (event) => {
      const { name, description } = event.data;
      return [ofPlan(event, { name, description })];
    },
    PlanTagsChanged: (event) => [ofPlan(event, { tags: event.data.tags })],
    PlanDeleted: (event) => [ofPlan(event, { deleted_at: event.data.deletedAt })],
    PlanVersionPublished: (event) => [
      ofPlan(event, {}),
      change<PlanVersionRow>(
        'plan_versions',
        { org: event.metadata.org, version_id: event.data.version.versionId },
        () => versionRow(event),
      ),
    ],
    PlanVersionFeaturesChanged: (event) => ofVersion(event, { features: event.data.features }),
    PlanVersionTargetsChanged: (event) => {
      const { targetCustomerKeys, number } = event.data;
      return ofVersion(event, { target_customer_keys: targetCustomerKeys, version: publicNumber(number) });
    },
    PlanVersionWindowChanged: (event) => {
      const { activeFrom, activeTo } = event.data;
      return ofVersion(event, { active_from: activeFrom, active_to: activeTo });
    },
    PlanVersionRenamed: (event) => ofVersion(event, { localized_name: event.data.localizedName }),
    PlanVersionReplaced: (event) => ofVersion(event, { replaced_by: event.data.replacedBy }),
    PlanVersionDeleted: (event) => ofVersion(event, { deleted_at: event.data.deletedAt }),
  },
});

const ofPlan = (
  { data: { planId }, metadata: { org }, revision }: RecordedEvent<PlanEvent>,
  changes: Partial<PlanRow>,
): RowChange =>
  change<PlanRow>(
    'plans',
    { org, plan_id: planId },
    (row) => row && { ...row, ...changes, stream_revision: revision.toString() },
  );

/** Records the plan's revision with every event of a version. */
const ofVersion = (
  event: RecordedEvent<Extract<PlanEvent, { data: { versionId: string } }>>,
  changes: Partial<PlanVersionRow>,
): RowChange[] => [
  ofPlan(event, {}),
  change<PlanVersionRow>(
    'plan_versions',
    { org: event.metadata.org, version_id: event.data.versionId },
    (row) => row && { ...row, ...changes, stream_revision: event.revision.toString() },
  ),
];

const publicNumber = (number: number | 'custom_version'): number | null =>
  number === 'custom_version' ? null : number;

function versionRow({
  data: { planId, version },
  metadata: { org },
  revision,
}: EventOf<'PlanVersionPublished'>): PlanVersionRow {
  return {
    org,
    plan_id: planId,
    version_id: version.versionId,
    version: publicNumber(version.number),
    currency: version.content.currency,
    recurring_charges: version.content.recurringCharges,
    components: version.content.components,
    price_adjustment: version.content.priceAdjustment,
    content_hash: version.contentHash,
    features: version.features,
    target_customer_keys: version.targetCustomerKeys,
    localized_name: version.localizedName,
    day_anchor: version.dayAnchor,
    month_anchor: version.monthAnchor,
    active_from: version.activeFrom,
    active_to: null,
    replaced_by: null,
    deleted_at: null,
    created_at: version.createdAt,
    published_revision: revision.toString(),
    stream_revision: revision.toString(),
  };
}
