import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Plan, PlanState, PlanVersion } from './plan-state.js';

/** A subscription that runs on a version of the plan, as far as a decision about the plan asks. */
export interface RunningSubscription {
  readonly versionId: Uuid;
  readonly customerKey: Uuid;
}

/** @throws DomainError `not_found`; `invalid_state` for a deleted plan */
export function planOnSale(state: PlanState): Plan {
  if (!state) throw new DomainError('not_found', 'There is no plan with this id.');
  if (state.deletedAt !== null) throw new DomainError('invalid_state', 'The plan is deleted.');
  return state;
}

/** @throws DomainError `not_found`; `invalid_state` for a deleted version */
export function versionOnSale(plan: Plan, versionId: Uuid): PlanVersion {
  const version = plan.versions.find((candidate) => candidate.versionId === versionId);
  if (!version) throw new DomainError('not_found', 'There is no plan version with this id.');
  if (version.deletedAt !== null) throw new DomainError('invalid_state', 'The plan version is deleted.');
  return version;
}

export const isOnSale = ({ deletedAt }: PlanVersion): boolean => deletedAt === null;

export const isPublic = ({ number }: Pick<PlanVersion, 'number'>): boolean => number !== 'custom_version';

/** A number that no version of the plan ever had: after the highest. */
export const nextNumber = ({ versions }: Pick<Plan, 'versions'>): number =>
  1 + Math.max(0, ...versions.filter(isPublic).map(({ number }) => Number(number)));
