import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { PlanVersion } from './plan-state.js';
import { isCustom, isFor } from './resolve-version.js';
import { phaseOf } from './version-status.js';

/**
 * The version that `replace_plan_id` means (docs/contract.md#update-by-filter): of those in the subscription's
 * currency the only one, else the only active one, else the only active one for this customer.
 * @throws DomainError `ambiguous_plan_version` when several remain, `invalid_operation` when there is none
 */
export function replacingVersion(
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
  throw new DomainError('invalid_operation', `The plan has no version in ${currency} for this customer.`);
}
