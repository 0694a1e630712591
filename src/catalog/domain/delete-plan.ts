import type { IssuedCommand } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { PlanEvent } from './events.js';
import {
  isNotDeleted,
  requirePlan,
  requireVersion,
  type RunningSubscription,
  type PlanState,
} from './plan-state.js';

export interface DeletePlanCommand {
  readonly type: 'DeletePlan';
  readonly running: readonly RunningSubscription[];
}

export interface DeleteVersionCommand {
  readonly type: 'DeleteVersion';
  readonly versionId: Uuid;
  readonly running: readonly RunningSubscription[];
}

/** Deletes a plan with its versions; deleting it twice does nothing. */
export function deletePlan(
  { running, now }: IssuedCommand<DeletePlanCommand>,
  state: PlanState,
): readonly PlanEvent[] {
  if (state && state.deletedAt !== null) return [];
  const { planId, versions } = requirePlan(state);
  if (running.length > 0) throw inUse('plan', running.length);
  return [
    ...versions.filter(isNotDeleted).map(({ versionId }): PlanEvent => ({
      type: 'PlanVersionDeleted',
      data: { planId, versionId, deletedAt: now },
    })),
    { type: 'PlanDeleted', data: { planId, deletedAt: now } },
  ];
}

/** Deletes a version. Versions that it replaces lose their replacement, so their subscriptions keep them. */
export function deleteVersion(
  { versionId, running, now }: IssuedCommand<DeleteVersionCommand>,
  state: PlanState,
): readonly PlanEvent[] {
  const deleted = state?.versions.find((version) => version.versionId === versionId);
  if (deleted && deleted.deletedAt !== null) return [];
  const plan = requirePlan(state);
  const { planId } = plan;
  requireVersion(plan, versionId);
  const onIt = running.filter((subscription) => subscription.versionId === versionId);
  if (onIt.length > 0) throw inUse('plan version', onIt.length);
  const replaced = plan.versions.filter(
    (version) => isNotDeleted(version) && version.replacedBy === versionId && version.versionId !== versionId,
  );
  return [
    { type: 'PlanVersionDeleted', data: { planId, versionId, deletedAt: now } },
    ...replaced.map((version): PlanEvent => ({
      type: 'PlanVersionReplaced',
      data: { planId, versionId: version.versionId, replacedBy: null },
    })),
  ];
}

const inUse = (what: string, count: number): DomainError =>
  new DomainError(
    'invalid_operation',
    `The ${what} has ${count} running subscriptions. Cancel them or switch their plan first.`,
  );
