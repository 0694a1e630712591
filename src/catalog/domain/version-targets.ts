import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { PlanEvent } from './events.js';
import { isPublic, nextNumber, planOnSale, versionOnSale, type RunningSubscription } from './plan-on-sale.js';
import type { PlanState, PlanVersion } from './plan-state.js';

/** Customers that may have a version: named customers alone, or everybody. */
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

/** Nobody is shut out of what they are subscribed to (docs/contract.md#plan-versions). */
export function changeTargets({ versionId, change }: ChangeTargets, state: PlanState): readonly PlanEvent[] {
  const plan = planOnSale(state);
  const version = versionOnSale(plan, versionId);
  const targetCustomerKeys = change.how === 'make-public' ? [] : targetsAfter(version, change);
  if (sameKeys(targetCustomerKeys, version.targetCustomerKeys)) return [];
  const number = targetCustomerKeys.length > 0 ? 'custom_version' : nextNumber(plan);
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
      'Without its last target the version would be for everybody. Make it public, if that is meant.',
    );
  }
  const shutOut = running.some(
    (subscription) =>
      subscription.versionId === version.versionId &&
      after.length > 0 &&
      !after.includes(subscription.customerKey),
  );
  if (shutOut) {
    const detail = 'A customer who is subscribed to this version would no longer be among its targets.';
    throw new DomainError('invalid_operation', detail);
  }
  return after;
}

const sameKeys = (some: readonly Uuid[], others: readonly Uuid[]): boolean =>
  some.length === others.length && some.every((key) => others.includes(key));
