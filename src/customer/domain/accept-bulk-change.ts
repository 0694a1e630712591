import type { Uuid } from '../../kernel/ids.js';
import type { BulkChange } from '../../subscription/domain/bulk-change.js';
import type { Customer } from './customer-state.js';
import { requirePresent } from './end-customer.js';
import type { CustomerEvent } from './events.js';

/** The deciding event of a change by filter (docs/architecture.md#policies): from here on it is completed. */
export function acceptBulkChange(
  { subscriptionIds, change }: { readonly subscriptionIds: readonly Uuid[]; readonly change: BulkChange },
  state: Customer | undefined,
): readonly CustomerEvent[] {
  const { customerKey } = requirePresent(state);
  return [{ type: 'BulkChangeAccepted', data: { customerKey, subscriptionIds, change } }];
}
