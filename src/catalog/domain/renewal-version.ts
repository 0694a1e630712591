import type { Uuid } from '../../kernel/ids.js';
import { isOnSale } from './plan-on-sale.js';
import type { PlanVersion } from './plan-state.js';
import { isFor } from './resolve-version.js';

/**
 * The version that a subscription renews to: the replacement if one is set, else the same (docs/billing.md#renewals). What
 * was replaced in turn is passed over; a replacement that is deleted or made for other customers is none.
 * @returns undefined when the plan has no such version
 */
export function versionAtRenewal(
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
    if (!next || met.has(next.versionId) || !isOnSale(next) || !isFor(next, customerKey)) return version;
    version = next;
  }
  return undefined;
}
