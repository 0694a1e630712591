import { DomainError, invalidFields } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { PlanEvent } from './events.js';
import { isOnSale, planOnSale, versionOnSale } from './plan-on-sale.js';
import type { PlanState } from './plan-state.js';
import { refuseUnknownUnits } from './replacement-units.js';

/** Fields of a version that may change; undefined keeps a field. */
export interface ChangeVersion {
  readonly type: 'ChangeVersion';
  readonly versionId: Uuid;
  readonly activeFrom: Instant | null | undefined;
  readonly activeTo: Instant | null | undefined;
  readonly localizedName: string | null | undefined;
}

export interface SetReplacement {
  readonly type: 'ReplaceVersion';
  readonly versionId: Uuid;
  /** The version itself: its subscriptions keep it. */
  readonly replaceWith: Uuid;
}

export function changeVersion(command: ChangeVersion, state: PlanState): readonly PlanEvent[] {
  const plan = planOnSale(state);
  const { versionId } = command;
  const before = versionOnSale(plan, versionId);
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
  const detail = 'active_to is not before active_from.';
  throw invalidFields({ code: 'invalid', detail, attr: 'non_field_errors' });
}

/** A subscription stays in its account: what it renews to is in the same currency. */
export function setReplacement(
  { versionId, replaceWith }: SetReplacement,
  state: PlanState,
): readonly PlanEvent[] {
  const plan = planOnSale(state);
  const version = versionOnSale(plan, versionId);
  const replacement = plan.versions.filter(isOnSale).find((other) => other.versionId === replaceWith);
  if (!replacement) {
    const detail = 'The plan has no version with this id.';
    throw invalidFields({ code: 'does_not_exist', detail, attr: 'replace_with' });
  }
  const { currency } = version.content;
  if (replacement.content.currency !== currency) {
    throw new DomainError('invalid_operation', `A version in ${currency} is replaced by one in ${currency}.`);
  }
  if (version.replacedBy === replaceWith) return [];
  const onSale = plan.versions.filter(isOnSale);
  refuseUnknownUnits(onSale.map((each) => (each === version ? { ...each, replacedBy: replaceWith } : each)));
  const data = { planId: plan.planId, versionId, replacedBy: replaceWith };
  return [{ type: 'PlanVersionReplaced', data }];
}
