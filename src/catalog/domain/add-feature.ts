import { invalidFields, type FieldError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { PlanEvent } from './events.js';
import type { Feature } from './feature.js';
import { isOnSale, planOnSale, type PlanState } from './plan-state.js';

export interface AddFeature {
  readonly type: 'AddPlanFeature';
  readonly feature: Feature;
  /** Versions of the plan, in the caller's order. */
  readonly versionIds: readonly Uuid[] | 'all';
}

/** Versions that are deleted get nothing any more; those that have the feature keep it as it is. */
export function addFeature({ feature, versionIds }: AddFeature, state: PlanState): readonly PlanEvent[] {
  const plan = planOnSale(state);
  const versions = plan.versions.filter(isOnSale);
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
