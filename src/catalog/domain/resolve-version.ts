import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { PlanVersion } from './plan-state.js';
import { phaseOf } from './version-status.js';

/** For whom a version is looked for. */
export interface Subscriber {
  readonly customerKey: Uuid;
  /** The customer's own default; null when there is none. */
  readonly currency: string | null;
  readonly organizationCurrency: string;
}

/**
 * The version that a plan's id means for a customer (docs/contract.md#subscriptions): of the
 * active versions this customer may have the only one; else the one targeted at the customer; else the public one in
 * the customer's currency, then in the organization's.
 * @throws DomainError `ambiguous_plan_version` when two remain, `invalid_operation` when none does
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
    throw new DomainError('invalid_operation', 'The plan has no active version for this customer.');
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

/** A version with targets is for them alone. */
export const isFor = (version: PlanVersion, customerKey: Uuid): boolean =>
  !isCustom(version) || version.targetCustomerKeys.includes(customerKey);

export const isCustom = ({ targetCustomerKeys }: PlanVersion): boolean => targetCustomerKeys.length > 0;

function theOnly(candidates: readonly PlanVersion[], why: string): PlanVersion {
  if (candidates.length === 1) return candidates[0]!;
  throw new DomainError(
    'ambiguous_plan_version',
    `${candidates.length} active versions of the plan ${why}. Give a version_id.`,
  );
}
