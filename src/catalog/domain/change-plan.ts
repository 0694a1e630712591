import { DomainError } from '../../kernel/errors.js';
import type { PlanEvent } from './events.js';
import { requirePlan, type PlanState } from './plan-state.js';

export interface ChangeDetails {
  readonly type: 'ChangePlanDetails';
  /** Undefined keeps the name. */
  readonly name: string | undefined;
  readonly description: string | null | undefined;
}

export interface ChangeTags {
  readonly type: 'ChangePlanTags';
  readonly how: 'add' | 'remove' | 'set';
  readonly tags: readonly string[];
}

const MAX_TAGS = 1_000;

export function changeDetails({ name, description }: ChangeDetails, state: PlanState): readonly PlanEvent[] {
  const plan = requirePlan(state);
  const after = {
    name: name ?? plan.name,
    description: description === undefined ? plan.description : description,
  };
  if (after.name === plan.name && after.description === plan.description) return [];
  return [{ type: 'PlanDetailsChanged', data: { planId: plan.planId, ...after } }];
}

/** Adds, removes or sets tags; a tag that the plan already has keeps its spelling. */
export function changeTags({ how, tags }: ChangeTags, state: PlanState): readonly PlanEvent[] {
  const plan = requirePlan(state);
  const after = {
    add: () => uniqueTags([...plan.tags, ...tags]),
    remove: () => removeTags(plan.tags, tags),
    set: () => uniqueTags(tags),
  }[how]();
  if (after.length > MAX_TAGS) {
    throw new DomainError('invalid_operation', `A plan has at most ${MAX_TAGS} tags. Remove some first.`);
  }
  if (after.length === plan.tags.length && after.every((tag, index) => tag === plan.tags[index])) return [];
  return [{ type: 'PlanTagsChanged', data: { planId: plan.planId, tags: after } }];
}

/** Removes tags that differ only in case; the first spelling stays (docs/contract.md#list-plans). */
export function uniqueTags(tags: readonly string[]): string[] {
  const folded = tags.map((tag) => tag.toLowerCase());
  return tags.filter((_, index) => folded.indexOf(folded[index]!) === index);
}

/** Returns the tags that are not in the other list. */
function removeTags(tags: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others.map((tag) => tag.toLowerCase()));
  return tags.filter((tag) => !left.has(tag.toLowerCase()));
}
