import { never, type Decider, type Issued } from '../../kernel/decider.js';
import { addFeature, type AddFeature } from './add-feature.js';
import { changeDetails, changeTags, type ChangeDetails, type ChangeTags } from './change-plan.js';
import { changeVersion, setReplacement, type ChangeVersion, type SetReplacement } from './change-version.js';
import { deletePlan, deleteVersion, type DeletePlan, type DeleteVersion } from './delete-plan.js';
import type { PlanEvent } from './events.js';
import type { PlanState } from './plan-state.js';
import {
  createPlan,
  publishVersion,
  type CreatePlanCommand,
  type PublishVersion,
} from './publish-version.js';
import { changeTargets, type ChangeTargets } from './version-targets.js';

export type PlanCommand =
  | CreatePlanCommand
  | ChangeDetails
  | ChangeTags
  | AddFeature
  | DeletePlan
  | PublishVersion
  | ChangeVersion
  | DeleteVersion
  | ChangeTargets
  | SetReplacement;

/** A plan with its versions. The price content of a version never changes: it is known by its hash. */
export const planAggregate = {
  category: 'plan',
  initial: (): PlanState => undefined,
  decide,
  evolve,
} as const satisfies Decider<PlanState, PlanCommand, PlanEvent> & { category: 'plan' };

function decide(command: Issued<PlanCommand>, state: PlanState): readonly PlanEvent[] {
  switch (command.kind) {
    case 'create':
      return createPlan(command, state);
    case 'change-details':
      return changeDetails(command, state);
    case 'change-tags':
      return changeTags(command, state);
    case 'add-feature':
      return addFeature(command, state);
    case 'delete':
      return deletePlan(command, state);
    case 'publish-version':
      return publishVersion(command, state);
    case 'change-version':
      return changeVersion(command, state);
    case 'delete-version':
      return deleteVersion(command, state);
    case 'change-targets':
      return changeTargets(command, state);
    case 'set-replacement':
      return setReplacement(command, state);
    default:
      return never(command);
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
    case 'PlanVersionFeaturesChanged':
    case 'PlanVersionTargetsChanged':
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
      return never(event);
  }
}
