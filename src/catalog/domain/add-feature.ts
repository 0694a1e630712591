import { invalidFields, type FieldError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { PlanEvent } from './events.js';
import type { Feature } from './feature.js';
import { isNotDeleted, requirePlan, type PlanState } from './plan-state.js';

export interface AddFeature {
  readonly type: 'AddPlanFeature';
  readonly feature: Feature;
  /** Versions of the plan, in the caller's order. */
  readonly versionIds: readonly Uuid[] | 'all';
}

/** Adds a feature to versions that are not deleted; a version that already has the feature keeps it unchanged. */
export function addFeature({ feature, versionIds }: AddFeature, state: PlanState): readonly PlanEvent[] {
  const plan = requirePlan(state);
  const versions = plan.versions.filter(isNotDeleted);
  if (versionIds !== 'all') refuseUnknown(versionIds, new Set(versions.map(({ versionId }) => versionId)));
  return versions
    .filter(({ versionId }) => versionIds === 'all' || versionIds.includes(versionId))
    .filter(({ features }) => features.every(({ featureId }) => featureId !== feature.featureId))
    .map(({ versionId, features }) => ({
      type: 'PlanVersionFeaturesChanged',
      data: { planId: plan.planId, versionId, features: [...features, feature] },
    }));
}

function refuseUnknown(versionIds: readonly Uuid[], known: ReadonlySet<Uuid>): void {
  const [first, ...rest] = versionIds.flatMap((versionId, place): FieldError[] =>
    known.has(versionId)
      ? []
      : [
          {
            code: 'does_not_exist',
            detail: 'The plan has no version with this id.',
            attr: `version_ids.${place}`,
          },
        ],
  );
  if (first) throw invalidFields(first, ...rest);
}
