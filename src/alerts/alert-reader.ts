import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { streamName } from '../kernel/event.js';
import { fromWireId, type Uuid } from '../kernel/ids.js';
import { pastMoment } from '../platform/as-of/moment.js';
import { readState } from '../platform/eventsourcing/command-runner/stream-state-cache.js';
import { EVENT_STORE, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import { EtagLocators } from '../platform/http/etag/etags.js';
import type { DatedAlert } from './domain/events.js';
import { alertStreamId, requireAlert, unknownAlert, usageAlertDecider } from './domain/usage-alert.js';
import { UsageAlerts } from './usage-alerts.js';

/** Reads one alert from the log: the table follows the log a moment later, and no answer is older than its ETag. */
@Injectable()
export class AlertReader implements OnModuleInit {
  constructor(
    private readonly alerts: UsageAlerts,
    private readonly streams: EtagLocators,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  onModuleInit(): void {
    this.streams.register('usage_alert_id', (org, text) => {
      const alertId = fromWireId('usage_alert', text);
      return alertId && streamOf(org, alertId);
    });
  }

  /** @throws DomainError `not_found` */
  async get(org: Uuid, alertId: Uuid | undefined): Promise<DatedAlert> {
    // Alerts can be older than their events: the table has the past of these too.
    if (pastMoment()) return this.alerts.get(org, alertId);
    if (alertId === undefined) throw unknownAlert();
    return requireAlert((await readState(this.store, streamOf(org, alertId), usageAlertDecider)).state);
  }
}

const streamOf = (org: Uuid, alertId: Uuid): string =>
  streamName('organization', org, alertStreamId(alertId));
