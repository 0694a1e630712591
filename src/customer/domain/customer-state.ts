import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { CustomerProfile } from './events.js';

export interface Customer extends CustomerProfile {
  readonly customerKey: Uuid;
  readonly deletedAt: Instant | null;
  readonly erasedAt: Instant | null;
}

/** State of the stream; undefined until the customer is created. */
export type CustomerState = Customer | undefined;

/** Returns the profile and the key, without the times of deletion and erasure. */
export const profileOf = ({
  deletedAt: _deletedAt,
  erasedAt: _erasedAt,
  ...profile
}: Customer): CustomerProfile & Pick<Customer, 'customerKey'> => profile;

/** Requires a customer that is not deleted. @throws DomainError `not_found` */
export function requirePresent(state: CustomerState): Customer {
  if (!state || state.deletedAt !== null) throw unknownCustomer();
  return state;
}

export const unknownCustomer = (): DomainError => new DomainError('not_found', unknownId('customer'));
