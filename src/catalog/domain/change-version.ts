import { DomainError, invalidFields } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { PlanEvent } from './events.js';
import {
  isNotDeleted,
  isPublic,
  nextNumber,
  requirePlan,
  type PlanState,
  type PlanVersion,
  type RunningSubscription,
  requireVersion,
} from './plan-state.js';

/** Fields of a version that may change; undefined keeps a field. */
export interface ChangeVersionCommand {
  readonly type: 'ChangeVersion';
  readonly versionId: Uuid;
  readonly activeFrom: Instant | null | undefined;
  readonly activeTo: Instant | null | undefined;
  readonly localizedName: string | null | undefined;
}

export interface SetReplacement {
  readonly type: 'ReplaceVersion';
  readonly versionId: Uuid;
  /** Replacement; the version itself if its subscriptions keep it. */
  readonly replaceWith: Uuid;
}

export function changeVersion(command: ChangeVersionCommand, state: PlanState): readonly PlanEvent[] {
  const plan = requirePlan(state);
  const { versionId } = command;
  const before = requireVersion(plan, versionId);
  const change = { planId: plan.planId, versionId };
  const {
    activeFrom = before.activeFrom,
    activeTo = before.activeTo,
    localizedName = before.localizedName,
  } = command;
  const events: PlanEvent[] = [];
  if (activeFrom !== before.activeFrom || activeTo !== before.activeTo) {
    refuseBackwards(activeFrom, activeTo);
    events.push({ type: 'PlanVersionWindowChanged', data: { ...change, activeFrom, activeTo } });
  }
  if (localizedName !== before.localizedName) {
    events.push({ type: 'PlanVersionRenamed', data: { ...change, localizedName } });
  }
  return events;
}

function refuseBackwards(activeFrom: Instant | null, activeTo: Instant | null): void {
  if (activeFrom === null || activeTo === null || activeFrom <= activeTo) return;
  const detail = 'active_to is before active_from. Give a later active_to.';
  throw invalidFields({ code: 'invalid', detail, attr: 'non_field_errors' });
}

/** Sets the version that subscriptions renew to. It has the same currency, so a subscription stays in its account. */
export function setReplacement(
  { versionId, replaceWith }: SetReplacement,
  state: PlanState,
): readonly PlanEvent[] {
  const plan = requirePlan(state);
  const version = requireVersion(plan, versionId);
  const replacement = plan.versions.filter(isNotDeleted).find((other) => other.versionId === replaceWith);
  if (!replacement) {
    const detail = 'The plan has no version with this id. Choose one from GET /api/plans/{plan_id}/.';
    throw invalidFields({ code: 'does_not_exist', detail, attr: 'replace_with' });
  }
  const { currency } = version.content;
  if (replacement.content.currency !== currency) {
    throw new DomainError(
      'invalid_operation',
      `The replacement has another currency. Name a version in ${currency}.`,
    );
  }
  if (version.replacedBy === replaceWith) return [];
  const onSale = plan.versions.filter(isNotDeleted);
  requireDefaultUnits(onSale.map((each) => (each === version ? { ...each, replacedBy: replaceWith } : each)));
  const data = { planId: plan.planId, versionId, replacedBy: replaceWith };
  return [{ type: 'PlanVersionReplaced', data }];
}

/** Changes the customers that may have a version: named customers, or everybody. */
export interface ChangeTargets {
  readonly type: 'ChangeVersionTargets';
  readonly versionId: Uuid;
  readonly change: TargetsChange;
}

export type TargetsChange =
  | {
      readonly how: 'add' | 'remove';
      readonly customerKeys: readonly Uuid[];
      readonly running: readonly RunningSubscription[];
    }
  | { readonly how: 'make-public' };

/** Refuses a change that takes a version from a subscribed customer (docs/contract.md#plan-versions). */
export function changeTargets({ versionId, change }: ChangeTargets, state: PlanState): readonly PlanEvent[] {
  const plan = requirePlan(state);
  const version = requireVersion(plan, versionId);
  const targetCustomerKeys = change.how === 'make-public' ? [] : targetsAfter(version, change);
  if (sameKeys(targetCustomerKeys, version.targetCustomerKeys)) return [];
  // The number that it had itself is free for it.
  const others = { versions: plan.versions.filter((other) => other !== version) };
  const number = targetCustomerKeys.length > 0 ? 'custom_version' : nextNumber(others);
  const data = { planId: plan.planId, versionId, targetCustomerKeys, number } as const;
  return [{ type: 'PlanVersionTargetsChanged', data }];
}

function targetsAfter(
  version: PlanVersion,
  { how, customerKeys, running }: Extract<TargetsChange, { customerKeys: readonly Uuid[] }>,
): readonly Uuid[] {
  const before = version.targetCustomerKeys;
  const after =
    how === 'add'
      ? [...new Set([...before, ...customerKeys])]
      : before.filter((key) => !customerKeys.includes(key));
  if (how === 'remove' && after.length === 0 && !isPublic(version)) {
    throw new DomainError(
      'invalid_operation',
      'Without its last target the version would be for everybody. Make it public instead.',
    );
  }
  const shutOut = running.some(
    (subscription) =>
      subscription.versionId === version.versionId &&
      after.length > 0 &&
      !after.includes(subscription.customerKey),
  );
  if (shutOut) {
    const detail = 'A customer is subscribed to this version. Keep the customer among its targets.';
    throw new DomainError('invalid_operation', detail);
  }
  return after;
}

const sameKeys = (some: readonly Uuid[], others: readonly Uuid[]): boolean =>
  some.length === others.length && some.every((key) => others.includes(key));

type Replaced = Pick<PlanVersion, 'versionId' | 'replacedBy' | 'content'>;

/**
 * Requires default units in every version that a renewal can lead to, for each prepaid component that the earlier version
 * lacks: a renewal names no units.
 * @param versions the versions that are not deleted, with the change applied
 * @throws DomainError `prepayment_cant_determine_units`
 */
export function requireDefaultUnits(versions: readonly Replaced[]): void {
  for (const version of versions) {
    for (const successor of successorsOf(version, versions)) {
      const unknown = prepaidOf(successor).find(
        ({ metricId, prepaid }) =>
          prepaid!.units === null && !prepaidOf(version).some((component) => component.metricId === metricId),
      );
      if (!unknown) continue;
      throw new DomainError(
        'prepayment_cant_determine_units',
        `A renewal would not know the prepaid units of ${unknown.metricName}. Give its prepaid_charge default units.`,
      );
    }
  }
}

function successorsOf({ versionId, replacedBy }: Replaced, versions: readonly Replaced[]): Replaced[] {
  const met = [versionId];
  const successors: Replaced[] = [];
  for (let next = replacedBy; next !== null && !met.includes(next);) {
    met.push(next);
    const successor = versions.find((version) => version.versionId === next);
    if (!successor) break;
    successors.push(successor);
    next = successor.replacedBy;
  }
  return successors;
}

const prepaidOf = ({ content }: Replaced) => content.components.filter(({ prepaid }) => prepaid !== null);
