import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { DomainError } from '../../kernel/errors.js';
import { isNotDeleted, type PlanVersion } from './plan-state.js';

/** Fields that the status of a version depends on, of a plan's state or of a row of the read model. */
export interface VersionWindow {
  readonly versionId: Uuid;
  /** Null if it has not started. */
  readonly activeFrom: Instant | null;
  readonly activeTo: Instant | null;
  readonly replacedBy: Uuid | null;
  /** Null if it is not deleted. */
  readonly deletedAt: Instant | null;
}

/** Phase of a version by its window, the values of the list's filter (docs/contract.md#version-status); a deleted version has ended. */
export type VersionPhase = 'not_started' | 'active' | 'ended';

export type VersionStatus = 'deleted' | 'not_started' | 'active' | 'grandfathered' | 'retiring' | 'inactive';

export function phaseOf({ activeFrom, activeTo, deletedAt }: VersionWindow, now: Instant): VersionPhase {
  if (deletedAt !== null || (activeTo !== null && activeTo <= now)) return 'ended';
  return activeFrom === null || activeFrom > now ? 'not_started' : 'active';
}

/** Status of a version in answers (docs/contract.md#version-status). */
export function statusOf(version: VersionWindow, runningSubscriptions: number, now: Instant): VersionStatus {
  if (version.deletedAt !== null) return 'deleted';
  const phase = phaseOf(version, now);
  if (phase !== 'ended') return phase;
  if (runningSubscriptions === 0) return 'inactive';
  const keptByItsSubscribers = version.replacedBy === null || version.replacedBy === version.versionId;
  return keptByItsSubscribers ? 'grandfathered' : 'retiring';
}

interface NumberedVersion extends VersionWindow {
  readonly number: number | 'custom_version';
}

export interface PlanSummary<Version> {
  /** Number of distinct public version numbers; custom versions have none. */
  readonly numVersions: number;
  /** The highest active public number, else 0. */
  readonly activeVersion: number;
  /** Version to show where only one fits: the active public one, else the latest. */
  readonly displayVersion: Version;
}

/**
 * Derives the values of a plan from its versions (docs/contract.md#plan).
 * @param versions all versions in order of publication, at least one
 */
export function planSummaryOf<Version extends NumberedVersion>(
  versions: readonly Version[],
  now: Instant,
): PlanSummary<Version> {
  const isPublic = ({ number }: Version) => number !== 'custom_version';
  const onSale = versions.filter((version) => isPublic(version) && phaseOf(version, now) === 'active');
  const highest = onSale.reduce<Version | undefined>(
    (best, version) => (best && Number(best.number) > Number(version.number) ? best : version),
    undefined,
  );
  return {
    numVersions: new Set(versions.filter(isPublic).map(({ number }) => number)).size,
    activeVersion: highest ? Number(highest.number) : 0,
    displayVersion: highest ?? versions.at(-1)!,
  };
}

/** Customer that a version is resolved for. */
export interface Subscriber {
  readonly customerKey: Uuid;
  /** The customer's own default; null if there is none. */
  readonly currency: string | null;
  readonly organizationCurrency: string;
}

/**
 * Returns the version that a plan id selects for a customer (docs/contract.md#subscriptions): the only active version that
 * the customer may have; else the version with the customer as a target; else the public version in the customer's currency,
 * then in the organization's.
 * @throws DomainError `ambiguous_plan_version` if two remain, `invalid_operation` if none does
 */
export function resolveVersion(
  versions: readonly PlanVersion[],
  subscriber: Subscriber,
  now: Instant,
): PlanVersion {
  const allowed = versions.filter(
    (version) => phaseOf(version, now) === 'active' && isFor(version, subscriber.customerKey),
  );
  if (allowed.length === 0) {
    throw new DomainError(
      'invalid_operation',
      'The plan has no active version for this customer. Activate one, or use another plan.',
    );
  }
  if (allowed.length === 1) return allowed[0]!;

  const targeted = allowed.filter(isCustom);
  if (targeted.length > 0) return theOnly(targeted, 'are made for this customer');

  for (const currency of [subscriber.currency, subscriber.organizationCurrency]) {
    const inCurrency = allowed.filter(({ content }) => content.currency === currency);
    if (inCurrency.length > 0) return theOnly(inCurrency, `are sold in ${currency}`);
  }
  const currencies = [...new Set(allowed.map(({ content }) => content.currency))].sort();
  throw new DomainError(
    'invalid_operation',
    `The plan is sold in ${currencies.join(', ')}, none of which is the customer's or the organization's currency. Give a version_id.`,
  );
}

/** Returns whether a customer may have a version: it is public, or has the customer as a target. */
export const isFor = (version: PlanVersion, customerKey: Uuid): boolean =>
  !isCustom(version) || version.targetCustomerKeys.includes(customerKey);

const isCustom = ({ targetCustomerKeys }: PlanVersion): boolean => targetCustomerKeys.length > 0;

function theOnly(candidates: readonly PlanVersion[], why: string): PlanVersion {
  if (candidates.length === 1) return candidates[0]!;
  throw new DomainError(
    'ambiguous_plan_version',
    `${candidates.length} active versions of the plan ${why}. Give a version_id.`,
  );
}

/**
 * Returns the version that a switch to a plan by `replace_plan_id` means (docs/contract.md#update-by-filter): among those
 * in the subscription's currency the only one, else the only active one, else the only active one for this customer.
 * @throws DomainError `ambiguous_plan_version` when several remain, `invalid_operation` when there is none
 */
export function resolveSwitchVersion(
  versions: readonly PlanVersion[],
  { customerKey, currency }: { readonly customerKey: Uuid; readonly currency: string },
  now: Instant,
): PlanVersion {
  const sold = versions.filter(
    (version) => version.deletedAt === null && version.content.currency === currency,
  );
  const active = sold.filter((version) => phaseOf(version, now) === 'active');
  const allowed = active.filter((version) => isFor(version, customerKey));
  const only = [sold, active, allowed, allowed.filter(isCustom)].find(({ length }) => length === 1)?.[0];
  if (only && isFor(only, customerKey)) return only;
  if (sold.length > 1) {
    const detail = `${sold.length} versions of the plan are sold in ${currency}. Switch to one of them by its id.`;
    throw new DomainError('ambiguous_plan_version', detail);
  }
  throw new DomainError(
    'invalid_operation',
    `The plan has no version in ${currency} for this customer. Give a version_id, or another currency.`,
  );
}

/**
 * Returns the version that a subscription renews to: the last in its chain of replacements, else the same version
 * (docs/billing.md#renewals). A replacement that is deleted or targets other customers ends the chain.
 * @returns undefined when the plan has no such version
 */
export function resolveRenewalVersion(
  versions: readonly PlanVersion[],
  versionId: Uuid,
  customerKey: Uuid,
): PlanVersion | undefined {
  let version = versions.find((candidate) => candidate.versionId === versionId);
  const met = new Set<Uuid>();
  while (version) {
    const { versionId: current, replacedBy } = version;
    met.add(current);
    const next = versions.find((candidate) => candidate.versionId === replacedBy);
    if (!next || met.has(next.versionId) || !isNotDeleted(next) || !isFor(next, customerKey)) return version;
    version = next;
  }
  return undefined;
}
