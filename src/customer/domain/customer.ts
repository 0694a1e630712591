import { never, type Decider, type Issued } from '../../kernel/decider.js';
import type { Uuid } from '../../kernel/ids.js';
import type { BulkChange } from '../../subscription/domain/bulk-change.js';
import { acceptBulkChange } from './accept-bulk-change.js';
import { changeDetails } from './change-details.js';
import type { CustomerState } from './customer-state.js';
import { deleteCustomer, eraseCustomer } from './end-customer.js';
import type { CustomerEvent, CustomerProfile } from './events.js';
import { register } from './register.js';

export type CustomerCommand =
  | { readonly type: 'RegisterCustomer'; readonly customerKey: Uuid; readonly profile: CustomerProfile }
  | {
      readonly type: 'ChangeCustomerDetails';
      /** The profile that the new one was made from. */
      readonly basedOn: CustomerProfile;
      readonly profile: CustomerProfile;
    }
  | {
      readonly type: 'AcceptBulkChange';
      readonly subscriptionIds: readonly Uuid[];
      readonly change: BulkChange;
    }
  | { readonly type: 'DeleteCustomer'; readonly subscriptionIds: readonly Uuid[] }
  | { readonly type: 'EraseCustomer' };

/** Stream `customer-{org}.{customerKey}`: one customer's profile. */
export const customer = {
  category: 'customer',
  initial: (): CustomerState => undefined,
  decide,
  evolve,
} as const satisfies Decider<CustomerState, CustomerCommand, CustomerEvent> & {
  readonly category: 'customer';
};

function decide(command: Issued<CustomerCommand>, state: CustomerState): readonly CustomerEvent[] {
  switch (command.type) {
    case 'RegisterCustomer':
      return register(command, state);
    case 'ChangeCustomerDetails':
      return changeDetails(command, state);
    case 'AcceptBulkChange':
      return acceptBulkChange(command, state);
    case 'DeleteCustomer':
      return deleteCustomer(command, state);
    case 'EraseCustomer':
      return eraseCustomer(command, state);
    default:
      return never(command);
  }
}

function evolve(state: CustomerState, event: CustomerEvent): CustomerState {
  switch (event.type) {
    case 'CustomerRegistered':
    case 'CustomerDetailsChanged':
      return { ...event.data, deletedAt: null, erasedAt: null };
    case 'BulkChangeAccepted':
      return state;
    case 'CustomerDeleted':
      return state && { ...state, deletedAt: event.data.deletedAt };
    case 'CustomerErased':
      return state && { ...state, erasedAt: event.data.erasedAt };
    default:
      return never(event);
  }
}
