import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Customer } from './customer-state.js';
import type { CustomerEvent, CustomerProfile } from './events.js';

/**
 * The stream is named by the customer_id, so that it is also what makes a customer_id unique. It stays taken after a
 * deletion (docs/contract.md#customers).
 */
export function register(
  { customerKey, profile }: { readonly customerKey: Uuid; readonly profile: CustomerProfile },
  state: Customer | undefined,
): readonly CustomerEvent[] {
  if (state) throw new DomainError('duplicate_resource', 'A customer with this customer_id already exists.');
  return [{ type: 'CustomerRegistered', data: { customerKey, ...profile } }];
}
