import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RecordedEvent } from '../kernel/event.js';
import { derivedId } from '../kernel/ids.js';
import { startContext } from '../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../platform/eventsourcing/command-runner/command-runner.js';
import { Policies, type Policy } from '../platform/eventsourcing/policies/policies.js';
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
  ) {}

  onModuleInit(): void {
    this.policies.register(this);
  }

  async handle({ type, data, metadata: { org } }: RecordedEvent<WebhookEvent>): Promise<void> {
    if (type === 'WebhookEndpointRemoved') return this.endpoints.remove(org, data.endpointId);
    await this.endpoints.begin(org, data.endpointId);
  }
}
