import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type RecordedEvent, streamName } from '../kernel/event.js';
import { derivedId } from '../kernel/ids.js';
import { startContext } from '../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../platform/eventsourcing/command-runner/command-runner.js';
import { Policies, type Policy } from '../platform/eventsourcing/policies/policies.js';
import { EVENT_STORE, type EventStore, foldStream } from '../platform/eventsourcing/store/event-store.js';
import { Vault } from '../platform/privacy/vault.js';
import { endpointStreamId, webhookEndpointDecider } from './domain/endpoint.js';
import type { RecordedEndpoint, WebhookEvent } from './domain/events.js';
import { type Endpoint, Endpoints } from './endpoints.js';

/** Converts endpoints to the data of their events. */
@Injectable()
export class EndpointRecords {
  constructor(private readonly vault: Vault) {}

  describe({ org, id, name, triggers, url, secret }: Omit<Endpoint, 'createdAt'>): RecordedEndpoint {
    const digest = this.vault.hmac(org, `webhook:${JSON.stringify([id, url, secret])}`);
    return { endpointId: id, name, triggers, origin: new URL(url).origin, digest };
  }
}

/** Records endpoints of earlier releases, which have no events, at the first start after the upgrade. */
@Injectable()
export class EndpointImport {
  constructor(
    private readonly endpoints: Endpoints,
    private readonly records: EndpointRecords,
    private readonly runner: CommandRunner,
  ) {}

  async run(): Promise<void> {
    for (const endpoint of await this.endpoints.unrecorded()) {
      const { org, id } = endpoint;
      const context = startContext(org, derivedId(id, 'taken-in'));
      const described = this.records.describe(endpoint);
      const command = { type: 'CreateEndpoint', endpoint: described, takenIn: true } as const;
      await this.runner.run(webhookEndpointDecider, endpointStreamId(id), command, context);
    }
  }
}

/** Applies events of endpoints to the table: an endpoint receives from its first event to its last. */
@Injectable()
export class ApplyEndpointEvents implements Policy<WebhookEvent>, OnModuleInit {
  readonly name = 'webhook-endpoints';
  readonly on = ['WebhookEndpointCreated', 'WebhookEndpointRemoved'] as const;

  constructor(
    private readonly policies: Policies,
    private readonly endpoints: Endpoints,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  /** Reads the last event: the creation may be handled again, by a repeat of its request, after the removal. */
  async handle({ data: { endpointId }, metadata: { org } }: RecordedEvent<WebhookEvent>): Promise<void> {
    const stream = streamName('organization', org, endpointStreamId(endpointId));
    const { state } = await foldStream(this.store, stream, webhookEndpointDecider);
    if (state) await this.endpoints.begin(org, endpointId);
    else await this.endpoints.remove(org, endpointId);
  }
}
