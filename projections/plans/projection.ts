import type { PlanEvent } from '../../src/catalog/domain/events.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { change, type Projection } from '../runtime/projection.js';
import { planVersions, plans, type PlanRow, type PlanVersionRow } from './schema.js';

type Recorded<Type extends PlanEvent['type']> = RecordedEvent<Extract<PlanEvent, { type: Type }>>;

export const plansProjection: Projection = {
  name: 'plans',
  version: 1,
  tables: { plans, plan_versions: planVersions },
  categories: ['plan'],
  on: {
    PlanCreated: ({ data, metadata: { org }, revision }: Recorded<'PlanCreated'>) => [
      change<PlanRow>('plans', { org, plan_id: data.planId }, () => ({
        org,
        plan_id: data.planId,
        name: data.name,
        description: data.description,
        duration: data.duration,
        tags: data.tags,
        external_links: data.externalLinks,
        created_at: data.createdAt,
        stream_revision: revision.toString(),
      })),
    ],
    PlanVersionPublished: ({ data, metadata: { org }, revision }: Recorded<'PlanVersionPublished'>) => [
      change<PlanRow>(
        'plans',
        { org, plan_id: data.planId },
        (row) => row && { ...row, stream_revision: revision.toString() },
      ),
      change<PlanVersionRow>('plan_versions', { org, version_id: data.version.versionId }, () =>
        versionRow(org, data, revision),
      ),
    ],
  },
};

function versionRow(
  org: string,
  { planId, version }: Recorded<'PlanVersionPublished'>['data'],
  revision: bigint,
): PlanVersionRow {
  return {
    org,
    plan_id: planId,
    version_id: version.versionId,
    version: version.number === 'custom_version' ? null : version.number,
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
    created_at: version.createdAt,
    stream_revision: revision.toString(),
  };
}
