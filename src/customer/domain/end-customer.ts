import type { Issued } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Customer } from './customer-state.js';
import type { CustomerEvent } from './events.js';

/** @param subscriptionIds those that end with the customer, each decided before */
export function deleteCustomer(
  { subscriptionIds, now: deletedAt }: Issued<{ readonly subscriptionIds: readonly Uuid[] }>,
  state: Customer | undefined,
): readonly CustomerEvent[] {
  const { customerKey } = requirePresent(state);
  return [{ type: 'CustomerDeleted', data: { customerKey, subscriptionIds, deletedAt } }];
}

/** Of a customer that was deleted. Erasing again is nothing to do. */
export function eraseCustomer(
  { now: erasedAt }: Issued<object>,
  state: Customer | undefined,
): readonly CustomerEvent[] {
  if (!state) throw unknown();
  const { customerKey } = state;
  if (state.deletedAt === null) throw new DomainError('invalid_state', 'Delete the customer first.');
  return state.erasedAt === null ? [{ type: 'CustomerErased', data: { customerKey, erasedAt } }] : [];
}

/** Who was deleted is unknown to whatever is new. @throws DomainError `not_found` */
export function requirePresent(state: Customer | undefined): Customer {
  if (!state || state.deletedAt !== null) throw unknown();
  return state;
}

const unknown = (): DomainError => new DomainError('not_found', 'There is no customer with this id.');
