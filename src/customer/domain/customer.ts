import { canonicalJson } from '../../kernel/canonical-json.js';
import { assertNever, type Decider, type IssuedCommand } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { profileOf, requirePresent, unknownCustomer, type CustomerState } from './customer-state.js';
import type { CustomerEvent, CustomerProfile } from './events.js';

export type CustomerCommand =
  | { readonly type: 'RegisterCustomer'; readonly customerKey: Uuid; readonly profile: CustomerProfile }
  | {
      readonly type: 'ChangeCustomerDetails';
      /** Profile that the caller read; a command based on another one conflicts. */
      readonly basedOn: CustomerProfile;
      /** The complete new profile. */
      readonly profile: CustomerProfile;
    }
  /** `subscriptionIds` end with the customer; a dry run has decided the end of each. */
  | { readonly type: 'DeleteCustomer'; readonly subscriptionIds: readonly Uuid[] }
  | { readonly type: 'EraseCustomer' };

type CommandOf<Type extends CustomerCommand['type']> = IssuedCommand<
  Extract<CustomerCommand, { type: Type }>
>;

/** Stream `customer-{org}.{customerKey}`: one customer's profile. */
export const customerDecider = {
  category: 'customer',
  initial: (): CustomerState => undefined,
  decide,
  evolve,
} as const satisfies Decider<CustomerState, CustomerCommand, CustomerEvent> & {
  readonly category: 'customer';
};

function decide(command: IssuedCommand<CustomerCommand>, state: CustomerState): readonly CustomerEvent[] {
  switch (command.type) {
    case 'RegisterCustomer':
      return registerCustomer(command, state);
    case 'ChangeCustomerDetails':
      return changeDetails(command, state);
    case 'DeleteCustomer':
      return deleteCustomer(command, state);
    case 'EraseCustomer':
      return eraseCustomer(command, state);
    default:
      return assertNever(command);
  }
}

/**
 * The customer key is derived from the customer_id, so the stream makes a customer_id unique, also after a deletion
 * (docs/contract.md#customers).
 */
function registerCustomer(
  { customerKey, profile }: CommandOf<'RegisterCustomer'>,
  state: CustomerState,
): readonly CustomerEvent[] {
  if (state)
    throw new DomainError(
      'duplicate_resource',
      'A customer with this customer_id already exists. Use another customer_id.',
    );
  return [{ type: 'CustomerRegistered', data: { customerKey, ...profile } }];
}

/** Changes the profile. It was unsealed before the decision, so a change since then is a conflict. */
function changeDetails(
  { basedOn, profile }: CommandOf<'ChangeCustomerDetails'>,
  state: CustomerState,
): readonly CustomerEvent[] {
  const { customerKey, ...before } = profileOf(requirePresent(state));
  if (!isEqual(before, basedOn)) {
    throw new DomainError('conflict', 'Another request changed the customer. Try again.');
  }
  if (isEqual(before, profile)) return [];
  return [{ type: 'CustomerDetailsChanged', data: { customerKey, ...profile } }];
}

const isEqual = (a: CustomerProfile, b: CustomerProfile): boolean => canonicalJson(a) === canonicalJson(b);

function deleteCustomer(
  { subscriptionIds, now: deletedAt }: CommandOf<'DeleteCustomer'>,
  state: CustomerState,
): readonly CustomerEvent[] {
  const { customerKey } = requirePresent(state);
  return [{ type: 'CustomerDeleted', data: { customerKey, subscriptionIds, deletedAt } }];
}

/** Requires a deleted customer; erasing one twice does nothing. */
function eraseCustomer(
  { now: erasedAt }: CommandOf<'EraseCustomer'>,
  state: CustomerState,
): readonly CustomerEvent[] {
  if (!state) throw unknownCustomer();
  const { customerKey } = state;
  if (state.deletedAt === null)
    throw new DomainError('invalid_state', 'The customer is not deleted. Delete the customer first.');
  return state.erasedAt === null ? [{ type: 'CustomerErased', data: { customerKey, erasedAt } }] : [];
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
      return assertNever(event);
  }
}
