import type { Customer } from './customer-state.js';
import type { CustomerProfile } from './events.js';

/** Without what became of the customer. */
export const profileOf = ({
  deletedAt: _,
  erasedAt: __,
  ...profile
}: Customer): CustomerProfile & Pick<Customer, 'customerKey'> => profile;
