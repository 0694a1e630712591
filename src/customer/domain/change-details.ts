import { canonicalJson } from '../../kernel/canonical-json.js';
import { DomainError } from '../../kernel/errors.js';
import type { Customer } from './customer-state.js';
import { requirePresent } from './end-customer.js';
import type { CustomerEvent, CustomerProfile } from './events.js';
import { profileOf } from './profile.js';

/**
 * The whole new profile, of which what was not asked to change is the old one. The old one was opened outside the
 * decision, so it must still be the one that stands: otherwise two changes at once would undo one another.
 */
export function changeDetails(
  { basedOn, profile }: { readonly basedOn: CustomerProfile; readonly profile: CustomerProfile },
  state: Customer | undefined,
): readonly CustomerEvent[] {
  const { customerKey, ...before } = profileOf(requirePresent(state));
  if (!same(before, basedOn)) {
    throw new DomainError('conflict', 'The customer was changed meanwhile. Try again.');
  }
  if (same(before, profile)) return [];
  return [{ type: 'CustomerDetailsChanged', data: { customerKey, ...profile } }];
}

const same = (a: CustomerProfile, b: CustomerProfile): boolean => canonicalJson(a) === canonicalJson(b);
