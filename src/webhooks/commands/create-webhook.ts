import { randomBytes } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { invalidFields } from '../../kernel/errors.js';
import { derivedId } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { endpointStreamId, webhookEndpointDecider } from '../domain/endpoint.js';
import type { Trigger } from '../domain/triggers.js';
import { EndpointRecords } from '../endpoint-records.js';
import { Endpoints, type Endpoint } from '../endpoints.js';
import { resolvesToInternalAddress } from '../sending/targets.js';
import { BEFORE_ALL } from '../../kernel/event.js';

export interface CreatedWebhook {
  readonly endpoint: Endpoint;
  /** False when an earlier request has made it, whose answer had the secret. */
  readonly isNew: boolean;
}

export class CreateWebhook extends Command<CreatedWebhook> {
  constructor(
    readonly context: CommandContext,
    readonly input: { readonly name: string; readonly url: string; readonly triggers: readonly Trigger[] },
  ) {
    super();
  }
}

@CommandHandler(CreateWebhook)
export class CreateWebhookHandler implements ICommandHandler<CreateWebhook> {
  constructor(
    private readonly endpoints: Endpoints,
    private readonly records: EndpointRecords,
    private readonly runner: CommandRunner,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Creates an endpoint for events from now on; a replay sends earlier ones. The row is unused until its event is appended. */
  async execute({ context, input }: CreateWebhook): Promise<CreatedWebhook> {
    const { org, commandId } = context;
    await this.requireAllowed(input.url);
    const id = derivedId(commandId, 'webhook');
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const after = (await this.store.head()) ?? BEFORE_ALL;
    const added = await this.endpoints.add({ id, org, secret, ...input }, after);
    const pending = added ?? (await this.endpoints.pending(org, id));
    if (pending) {
      const command = { type: 'CreateEndpoint', endpoint: this.records.describe(pending) } as const;
      await this.runner.run(webhookEndpointDecider, endpointStreamId(id), command, context);
    }
    const endpoint = pending ?? (await this.endpoints.find(org, id));
    if (!endpoint) throw new Error('a new webhook was removed while it was made');
    return { endpoint, isNew: pending !== undefined };
  }

  private async requireAllowed(text: string): Promise<void> {
    const refuse = (detail: string) => invalidFields({ code: 'invalid', detail, attr: 'webhook_url' });
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !['http:', 'https:'].includes(url.protocol))
      throw refuse('This URL has another protocol than http or https. Give one with https.');
    if (url.username !== '' || url.password !== '')
      throw refuse('This URL has a user or a password. Give one without them.');
    if (!this.config.allowPrivateWebhooks && (await resolvesToInternalAddress(url))) {
      throw refuse(
        'Webhooks are not sent to private, loopback or link-local addresses. Give a public address, or run the service with ALLOW_PRIVATE_WEBHOOKS=true.',
      );
    }
  }
}
