import { assertNever, type Decider, type IssuedCommand } from '../../kernel/decider.js';
import { addFeature, type AddFeature } from './add-feature.js';
import { changeDetails, changeTags, type ChangeDetails, type ChangeTags } from './change-plan.js';
import {
  changeVersion,
  setReplacement,
  type ChangeVersionCommand,
  type SetReplacement,
  changeTargets,
  type ChangeTargets,
} from './change-version.js';
import {
  deletePlan,
  deleteVersion,
  type DeletePlanCommand,
  type DeleteVersionCommand,
} from './delete-plan.js';
import type { PlanEvent } from './events.js';
import type { PlanState } from './plan-state.js';
import {
  createPlan,
  publishVersion,
  type CreatePlanCommand,
  type PublishVersionCommand,
} from './publish-version.js';

export type PlanCommand =
  | CreatePlanCommand
  | ChangeDetails
  | ChangeTags
  | AddFeature
  | DeletePlanCommand
  | PublishVersionCommand
  | ChangeVersionCommand
  | DeleteVersionCommand
  | ChangeTargets
  | SetReplacement;

/** Stream `plan-{org}.{planId}`: a plan with its versions, whose price contents never change. */
export const planDecider = {
  category: 'plan',
  initial: (): PlanState => undefined,
  decide,
  evolve,
} as const satisfies Decider<PlanState, PlanCommand, PlanEvent> & { category: 'plan' };

function decide(command: IssuedCommand<PlanCommand>, state: PlanState): readonly PlanEvent[] {
  switch (command.type) {
    case 'CreatePlan':
      return createPlan(command, state);
    case 'ChangePlanDetails':
      return changeDetails(command, state);
    case 'ChangePlanTags':
      return changeTags(command, state);
    case 'AddPlanFeature':
      return addFeature(command, state);
    case 'DeletePlan':
      return deletePlan(command, state);
    case 'PublishVersion':
      return publishVersion(command, state);
    case 'ChangeVersion':
      return changeVersion(command, state);
    case 'DeleteVersion':
      return deleteVersion(command, state);
    case 'ChangeVersionTargets':
      return changeTargets(command, state);
    case 'ReplaceVersion':
      return setReplacement(command, state);
    default:
      return assertNever(command);
  }
}

function evolve(state: PlanState, event: PlanEvent): PlanState {
  if (event.type === 'PlanCreated') return { ...event.data, deletedAt: null, versions: [] };
  if (!state) throw new Error(`${event.type} in a plan that was not created`);
  switch (event.type) {
    case 'PlanDetailsChanged':
    case 'PlanTagsChanged':
    case 'PlanDeleted':
      return { ...state, ...event.data };
    case 'PlanVersionPublished': {
      const version = { ...event.data.version, activeTo: null, replacedBy: null, deletedAt: null };
      return { ...state, versions: [...state.versions, version] };
    }
    case 'PlanVersionTargetsChanged': {
      const { versionId, targetCustomerKeys, number } = event.data;
      const versions = state.versions.map((version) => {
        if (version.versionId !== versionId) return version;
        const former = version.number === 'custom_version' ? {} : { formerNumber: version.number };
        return { ...version, targetCustomerKeys, number, ...former };
      });
      return { ...state, versions };
    }
    case 'PlanVersionFeaturesChanged':
    case 'PlanVersionWindowChanged':
    case 'PlanVersionRenamed':
    case 'PlanVersionReplaced':
    case 'PlanVersionDeleted': {
      const { planId: _, versionId, ...change } = event.data;
      const versions = state.versions.map((version) =>
        version.versionId === versionId ? { ...version, ...change } : version,
      );
      return { ...state, versions };
    }
    default:
      return assertNever(event);
  }
}
