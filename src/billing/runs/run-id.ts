import { derivedId, type Uuid } from '../../kernel/ids.js';
import type { SubscriptionEvent } from '../../subscription/domain/events.js';

type EventType = SubscriptionEvent['type'];

/** Names the policy that bills what an event of one subscription changes; a run's id derives from the name. */
export const RUN_ROLES = {
  AddonAttached: 'bill-addon',
  AddonCancelled: 'bill-addon',
  PrepaidUnitsChanged: 'bill-changed-units',
  SubscriptionCancelled: 'bill-cancelled-subscription',
  SubscriptionStarted: 'bill-new-subscription',
  SubscriptionSwitched: 'bill-switched-subscription',
} as const satisfies Partial<Record<EventType, string>>;

export const runRoleOf = (type: EventType): string | undefined =>
  (RUN_ROLES as Partial<Record<EventType, string>>)[type];

/** @param commandId of the command that bills */
export const runIdOf = (commandId: Uuid): Uuid => derivedId(commandId, 'run');
