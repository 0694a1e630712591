import type { DomainEvent, EventSentences } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { UsageAlert } from './thresholds.js';

export interface DatedAlert extends UsageAlert {
  readonly createdAt: Instant;
}

/** Parts of an alert that can be changed. */
export type AlertChanges = Partial<Pick<UsageAlert, 'name' | 'threshold'>>;

export type UsageAlertEvent =
  | DomainEvent<
      'UsageAlertCreated',
      DatedAlert & {
        /** The alert is older than this event. */
        readonly takenIn?: true;
      }
    >
  | DomainEvent<'UsageAlertChanged', { readonly alertId: Uuid; readonly changes: AlertChanges }>
  | DomainEvent<'UsageAlertRemoved', { readonly alertId: Uuid }>;

/** Sentences of the audit log, one per event type. */
export const USAGE_ALERT_EVENT_SENTENCES: EventSentences<UsageAlertEvent> = {
  UsageAlertChanged: 'The name or threshold of the usage alert was changed.',
  UsageAlertCreated: 'The usage alert was created.',
  UsageAlertRemoved: 'The usage alert was removed.',
};
