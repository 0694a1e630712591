import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { PlanDuration } from '../../kernel/period.js';
import type { PriceContent } from '../../pricing/price-content.js';

/** Plan version with the fields of its publication. */
export interface PublishedVersion {
  readonly versionId: Uuid;
  readonly number: number | 'custom_version';
  readonly content: PriceContent;
  readonly contentHash: string;
  readonly localizedName: string | null;
  readonly dayAnchor: number | null;
  readonly monthAnchor: number | null;
  readonly targetCustomerKeys: readonly Uuid[];
  readonly features: readonly {
    readonly featureId: Uuid;
    readonly name: string;
    readonly description: string | null;
  }[];
  /** Null if it has not started. */
  readonly activeFrom: Instant | null;
  readonly createdAt: Instant;
}

export interface PlanVersion extends PublishedVersion {
  /** Number before the version got targets; absent if it had none. */
  readonly formerNumber?: number;
  /** End of the sale; null if there is none. */
  readonly activeTo: Instant | null;
  /** Version that subscriptions renew to; null if they keep this one. */
  readonly replacedBy: Uuid | null;
  readonly deletedAt: Instant | null;
}

export interface ExternalPlanLink {
  readonly source: 'provider_a' | 'provider_b';
  readonly externalPlanId: string;
}

export interface Plan {
  readonly planId: Uuid;
  readonly name: string;
  readonly description: string | null;
  readonly duration: PlanDuration | null;
  readonly tags: readonly string[];
  readonly externalLinks: readonly ExternalPlanLink[];
  readonly createdAt: Instant;
  readonly deletedAt: Instant | null;
  /** All versions in order of publication, deleted ones too. */
  readonly versions: readonly PlanVersion[];
}

export type PlanState = Plan | undefined;

/** A subscription that runs on a version of the plan, for a decision about the plan. */
export interface RunningSubscription {
  readonly versionId: Uuid;
  readonly customerKey: Uuid;
}

/** Returns a plan that is not deleted. @throws DomainError `not_found`; `invalid_state` for a deleted plan */
export function requirePlan(state: PlanState): Plan {
  if (!state) throw new DomainError('not_found', unknownId('plan'));
  if (state.deletedAt !== null)
    throw new DomainError('invalid_state', 'The plan is deleted. Use another plan.');
  return state;
}

/** Returns a version that is not deleted. @throws DomainError `not_found`; `invalid_state` for a deleted version */
export function requireVersion(plan: Plan, versionId: Uuid): PlanVersion {
  const version = plan.versions.find((candidate) => candidate.versionId === versionId);
  if (!version) throw new DomainError('not_found', unknownId('plan version'));
  if (version.deletedAt !== null)
    throw new DomainError('invalid_state', 'The plan version is deleted. Use another version.');
  return version;
}

export const isNotDeleted = ({ deletedAt }: PlanVersion): boolean => deletedAt === null;

export const isPublic = ({ number }: Pick<PlanVersion, 'number'>): boolean => number !== 'custom_version';

/** Largest number of a version: read models store the number as an `integer` of PostgreSQL. */
export const LARGEST_VERSION_NUMBER = 2 ** 31 - 1;

/**
 * Returns one more than the highest number that any version of the plan ever had.
 * @throws DomainError `invalid_operation` when a version has the largest number
 */
export function nextNumber({ versions }: Pick<Plan, 'versions'>): number {
  const numbers = versions.map(({ number, formerNumber = 0 }) =>
    number === 'custom_version' ? formerNumber : number,
  );
  const next = 1 + Math.max(0, ...numbers);
  if (next <= LARGEST_VERSION_NUMBER) return next;
  throw new DomainError(
    'invalid_operation',
    `The plan has had a version ${LARGEST_VERSION_NUMBER}, so there is no next number. Publish a version with a free number from 1 to ${LARGEST_VERSION_NUMBER}.`,
  );
}
