import { assertNever, type IssuedCommand } from '../../kernel/decider.js';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { compareQuantities, quantity } from '../../kernel/quantity.js';
import type { AlertChanges, DatedAlert, UsageAlertEvent } from './events.js';

/** Undefined before the alert was recorded; null after it was removed. */
type AlertState = DatedAlert | null | undefined;

type AlertCommand =
  | { readonly type: 'CreateAlert'; readonly alert: DatedAlert; readonly takenIn?: true }
  | { readonly type: 'ChangeAlert'; readonly changes: AlertChanges }
  | { readonly type: 'RemoveAlert' };

function decide(command: IssuedCommand<AlertCommand>, state: AlertState): readonly UsageAlertEvent[] {
  switch (command.type) {
    case 'CreateAlert': {
      const { alert, takenIn } = command;
      if (state !== undefined) return [];
      return [{ type: 'UsageAlertCreated', data: { ...alert, ...(takenIn && { takenIn }) } }];
    }
    case 'ChangeAlert': {
      const alert = requireAlert(state);
      const changes = changedParts(alert, command.changes);
      if (Object.keys(changes).length === 0) return [];
      return [{ type: 'UsageAlertChanged', data: { alertId: alert.alertId, changes } }];
    }
    case 'RemoveAlert':
      return [{ type: 'UsageAlertRemoved', data: { alertId: requireAlert(state).alertId } }];
    default:
      return assertNever(command);
  }
}

function changedParts(alert: DatedAlert, { name, threshold }: AlertChanges): AlertChanges {
  const changesThreshold =
    threshold !== undefined && compareQuantities(quantity(threshold), quantity(alert.threshold)) !== 0;
  return {
    ...(name !== undefined && name !== alert.name && { name }),
    ...(changesThreshold && { threshold }),
  };
}

function evolve(state: AlertState, event: UsageAlertEvent): AlertState {
  switch (event.type) {
    case 'UsageAlertCreated': {
      const { takenIn: _, ...alert } = event.data;
      return alert;
    }
    case 'UsageAlertChanged':
      return { ...state!, ...event.data.changes };
    case 'UsageAlertRemoved':
      return null;
    default:
      return assertNever(event);
  }
}

/** @throws DomainError `not_found`, also for an alert that was removed */
export function requireAlert(state: AlertState): DatedAlert {
  if (!state) throw unknownAlert();
  return state;
}

export const unknownAlert = (): DomainError => new DomainError('not_found', unknownId('usage alert'));

/** Id of the stream of an alert, `organization-{org}.usage-alert.{id}`. */
export const alertStreamId = (alertId: Uuid): string => `usage-alert.${alertId}`;

export const usageAlertDecider = {
  category: 'organization' as const,
  initial: (): AlertState => undefined,
  decide,
  evolve,
};
