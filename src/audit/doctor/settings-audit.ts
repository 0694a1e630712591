import { Inject, Injectable } from '@nestjs/common';
import { lastingDifferences } from './lasting-differences.js';
import type { DatedAlert } from '../../alerts/domain/events.js';
import { alertStreamId, usageAlertDecider } from '../../alerts/domain/usage-alert.js';
import { UsageAlerts } from '../../alerts/usage-alerts.js';
import { orgOfStream, streamName } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import {
  EVENT_STORE,
  type EventStore,
  foldStream,
  streamsOf,
} from '../../platform/eventsourcing/store/event-store.js';
import { endpointStreamId, webhookEndpointDecider } from '../../webhooks/domain/endpoint.js';
import type { RecordedEndpoint } from '../../webhooks/domain/events.js';
import { EndpointRecords } from '../../webhooks/endpoint-records.js';
import { Endpoints, type StoredEndpoint } from '../../webhooks/endpoints.js';

/** A setting as its table or its events have it. */
interface Setting {
  readonly org: Uuid;
  /** Subject of a sentence. */
  readonly subject: string;
  /** Compared fields, by their name in a sentence. */
  readonly fields: Readonly<Record<string, unknown>>;
}

type DescribedEndpoint = Pick<RecordedEndpoint, 'endpointId' | 'name' | 'triggers'> &
  Partial<RecordedEndpoint>;

type Settings = ReadonlyMap<string, Setting>;

/** Compares the tables of webhook endpoints and usage alerts with their events. */
@Injectable()
export class SettingsAudit {
  constructor(
    private readonly endpoints: Endpoints,
    private readonly records: EndpointRecords,
    private readonly alerts: UsageAlerts,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** Returns sentences for an auditor. A difference counts when it still exists after a while. */
  differences(patienceMs?: number): Promise<string[]> {
    return lastingDifferences(() => this.compare(), patienceMs);
  }

  private async compare(): Promise<string[]> {
    const [stored, recorded] = [await this.stored(), await this.recorded()];
    const missing = [...recorded].flatMap(([stream, one]) =>
      stored.has(stream) ? [] : [`${sentenceOf(one)} is in the log and not in the table`],
    );
    const differing = [...stored].flatMap(([stream, one]) => {
      const expected = recorded.get(stream);
      if (!expected) return [`${sentenceOf(one)} is in the table, and its events do not say so`];
      return Object.entries(expected.fields).flatMap(([field, value]) =>
        JSON.stringify(value) === JSON.stringify(one.fields[field])
          ? []
          : [`${sentenceOf(one)} differs from its events: its ${field}`],
      );
    });
    return [...missing, ...differing];
  }

  /** Returns the settings that the tables have, by stream. */
  private async stored(): Promise<Settings> {
    const settings = new Map<string, Setting>();
    for (const endpoint of await this.endpoints.all()) {
      const stream = streamName('organization', endpoint.org, endpointStreamId(endpoint.id));
      settings.set(stream, endpointSetting(endpoint.org, this.described(endpoint)));
    }
    for (const { org, alert, isRecorded } of await this.alerts.all()) {
      const stream = streamName('organization', org, alertStreamId(alert.alertId));
      settings.set(stream, alertSetting(org, alert, isRecorded));
    }
    return settings;
  }

  private described(endpoint: StoredEndpoint): DescribedEndpoint {
    const { id, name, triggers, url, secret } = endpoint;
    if (url === undefined || secret === undefined) return { endpointId: id, name, triggers };
    return this.records.describe({ ...endpoint, url, secret });
  }

  /** Returns the settings that the events tell of, by stream. */
  private async recorded(): Promise<Settings> {
    const settings = new Map<string, Setting>();
    for await (const stream of streamsOf(this.store, 'organization')) {
      const org = orgOfStream(stream);
      if (stream.startsWith(streamName('organization', org, endpointStreamId('' as Uuid)))) {
        const { state } = await foldStream(this.store, stream, webhookEndpointDecider);
        if (state) settings.set(stream, endpointSetting(org, state));
      }
      if (stream.startsWith(streamName('organization', org, alertStreamId('' as Uuid)))) {
        const { state } = await foldStream(this.store, stream, usageAlertDecider);
        if (state) settings.set(stream, alertSetting(org, state, true));
      }
    }
    return settings;
  }
}

const endpointSetting = (
  org: Uuid,
  { endpointId, name, triggers, origin, digest }: DescribedEndpoint,
): Setting => ({
  org,
  subject: `webhook endpoint ${endpointId}`,
  fields: { name, triggers, origin, 'URL or secret': digest },
});

const alertSetting = (org: Uuid, alert: DatedAlert, isRecorded: boolean | null): Setting => ({
  org,
  subject: `usage alert ${alert.alertId}`,
  fields: {
    name: alert.name,
    metric: alert.metricId,
    customer: alert.customerKey,
    plan: alert.planId,
    measure: alert.measure,
    threshold: alert.threshold,
    'time of creation': alert.createdAt,
    'mark that an event created it': isRecorded,
  },
});

const sentenceOf = ({ subject, org }: Setting): string => `${subject} of organization ${org}`;
