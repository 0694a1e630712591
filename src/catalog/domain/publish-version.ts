import { contentHash } from '../../kernel/canonical-json.js';
import type { IssuedCommand } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { PlanDuration } from '../../kernel/period.js';
import type { PlanEvent } from './events.js';
import {
  type PublishedVersion,
  isNotDeleted,
  isPublic,
  nextNumber,
  requirePlan,
  type Plan,
  type PlanState,
  type ExternalPlanLink,
} from './plan-state.js';
import type { PriceContent } from '../../pricing/price-content.js';
import { requireDefaultUnits } from './change-version.js';
import { uniqueTags } from './change-plan.js';
import { phaseOf } from './resolve-version.js';
import { requireBillableWindows } from './window-count.js';

/** Requested version, checked and complete, before it has a hash and a time. */
export interface VersionDraft {
  readonly versionId: Uuid;
  /** Number of a public version, null for the next one; ignored for a version with targets. */
  readonly number: number | null;
  readonly content: PriceContent;
  readonly localizedName: string | null;
  readonly dayAnchor: number | null;
  readonly monthAnchor: number | null;
  readonly targetCustomerKeys: readonly Uuid[];
  readonly features: PublishedVersion['features'];
}

export interface CreatePlanCommand {
  readonly type: 'CreatePlan';
  readonly planId: Uuid;
  readonly name: string;
  readonly description: string | null;
  readonly duration: PlanDuration | null;
  readonly tags: readonly string[];
  readonly externalLinks: readonly ExternalPlanLink[];
  readonly initialVersion: VersionDraft;
}

/** Ways for subscriptions on versions that a new version replaces. */
export const MAKE_ACTIVE_TYPES = ['replace_on_renewal', 'grandfather'] as const;
type MakeActiveType = (typeof MAKE_ACTIVE_TYPES)[number];

export interface PublishVersionCommand {
  readonly type: 'PublishVersion';
  readonly version: VersionDraft;
  /** Null if the version is not made active. */
  readonly makeActive: MakeActiveType | null;
}

export function createPlan(
  command: IssuedCommand<CreatePlanCommand>,
  state: PlanState,
): readonly PlanEvent[] {
  if (state) throw new DomainError('invalid_state', 'This plan exists already. Use another name.');
  const { planId, name, description, duration, tags, externalLinks, initialVersion, now } = command;
  requireBillableWindows(duration, initialVersion.content);
  const plan = { planId, name, description, duration, externalLinks, createdAt: now };
  const number = numberOf(initialVersion, () => 1);
  const version = published(initialVersion, number, now, now);
  return [
    { type: 'PlanCreated', data: { ...plan, tags: uniqueTags(tags) } },
    { type: 'PlanVersionPublished', data: { planId, version } },
  ];
}

/**
 * Publishes a version. A public version that is made active starts now and ends every other public version in its currency,
 * also one that has not started (docs/contract.md#plan-versions). A version with targets ends no other.
 */
export function publishVersion(
  { version: draft, makeActive, now }: IssuedCommand<PublishVersionCommand>,
  state: PlanState,
): readonly PlanEvent[] {
  const plan = requirePlan(state);
  const { planId } = plan;
  requireBillableWindows(plan.duration, draft.content);
  const number = numberOf(draft, () => nextNumber(plan));
  const version = published(draft, number, now, makeActive === null ? null : now);
  if (isPublic(version)) refuseTakenNumber(plan, version);
  const publication: PlanEvent = { type: 'PlanVersionPublished', data: { planId, version } };
  if (makeActive === null || !isPublic(version)) return [publication];
  return [publication, ...endOthers(plan, version, makeActive, now)];
}

function endOthers(plan: Plan, by: PublishedVersion, succession: MakeActiveType, now: Instant): PlanEvent[] {
  const { planId } = plan;
  const others = plan.versions.filter(
    (version) =>
      isPublic(version) &&
      version.content.currency === by.content.currency &&
      phaseOf(version, now) !== 'ended',
  );
  const replacedBy = succession === 'grandfather' ? null : by.versionId;
  if (replacedBy !== null) {
    const onSale = plan.versions.filter(isNotDeleted);
    const replaced = onSale.map((each) => (others.includes(each) ? { ...each, replacedBy } : each));
    requireDefaultUnits([...replaced, { ...by, replacedBy: null }]);
  }
  return others.flatMap(({ versionId, activeFrom, replacedBy: before }): PlanEvent[] => {
    const change = { planId, versionId };
    return [
      { type: 'PlanVersionWindowChanged', data: { ...change, activeFrom, activeTo: now } },
      ...(before === replacedBy
        ? []
        : [{ type: 'PlanVersionReplaced' as const, data: { ...change, replacedBy } }]),
    ];
  });
}

/** Refuses a number that a version in this currency has; versions in different currencies may share a number. */
function refuseTakenNumber(plan: Plan, { number, content: { currency } }: PublishedVersion): void {
  const taken = plan.versions.some(
    (other) => isNotDeleted(other) && other.number === number && other.content.currency === currency,
  );
  if (!taken) return;
  throw new DomainError(
    'duplicate_resource',
    `The plan has a version ${number} in ${currency} already. Leave out the number, or give another.`,
  );
}

function numberOf(
  { targetCustomerKeys, number }: VersionDraft,
  next: () => number,
): PublishedVersion['number'] {
  return targetCustomerKeys.length > 0 ? 'custom_version' : (number ?? next());
}

const published = (
  draft: VersionDraft,
  number: PublishedVersion['number'],
  createdAt: Instant,
  activeFrom: Instant | null,
): PublishedVersion => ({
  ...draft,
  number,
  contentHash: contentHash(draft.content),
  activeFrom,
  createdAt,
});
