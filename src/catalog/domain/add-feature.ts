import { invalidFields, type FieldError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { PlanEvent } from './events.js';
import type { Feature } from './feature.js';
import { isNotDeleted, requirePlan, type PlanState } from './plan-state.js';

export interface AddFeature {
  readonly type: 'AddPlanFeature';
  /** Undefined for a feature that does not exist. */
  readonly feature: Feature | undefined;
  /** Versions of the plan, in the caller's order. */
  readonly versionIds: readonly Uuid[] | 'all';
}

/** Adds a feature to versions that are not deleted; a version that already has the feature keeps it unchanged. */
export function addFeature({ feature, versionIds }: AddFeature, state: PlanState): readonly PlanEvent[] {
  const plan = requirePlan(state);
  const versions = plan.versions.filter(isNotDeleted);
  const known = new Set(versions.map(({ versionId }) => versionId));
  const unknownVersions = versionIds === 'all' ? [] : versionErrors(versionIds, known);
  if (!feature) throw invalidFields(UNKNOWN_FEATURE, ...unknownVersions);
  if (unknownVersions[0]) throw invalidFields(unknownVersions[0], ...unknownVersions.slice(1));
  return versions
    .filter(({ versionId }) => versionIds === 'all' || versionIds.includes(versionId))
    .filter(({ features }) => features.every(({ featureId }) => featureId !== feature.featureId))
    .map(({ versionId, features }) => ({
      type: 'PlanVersionFeaturesChanged',
      data: { planId: plan.planId, versionId, features: [...features, feature] },
    }));
}

const UNKNOWN_FEATURE: FieldError = {
  code: 'does_not_exist',
  detail: unknownId('feature'),
  attr: 'feature_id',
};

const versionErrors = (versionIds: readonly Uuid[], known: ReadonlySet<Uuid>): FieldError[] =>
  versionIds.flatMap((versionId, index): FieldError[] => {
    const attr = `version_ids.${index}`;
    const detail = 'The plan has no version with this id. Choose one from GET /api/plans/{plan_id}/.';
    return known.has(versionId) ? [] : [{ code: 'does_not_exist', detail, attr }];
  });
