import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../platform/eventsourcing/command-runner/command-runner.js';
import { endpointStreamId, webhookEndpointDecider } from '../domain/endpoint.js';

export class RemoveWebhook extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly endpointId: Uuid,
  ) {
    super();
  }
}

@CommandHandler(RemoveWebhook)
export class RemoveWebhookHandler implements ICommandHandler<RemoveWebhook> {
  constructor(private readonly runner: CommandRunner) {}

  /** @throws DomainError `not_found` */
  async execute({ context, endpointId }: RemoveWebhook): Promise<void> {
    await this.runner.run(
      webhookEndpointDecider,
      endpointStreamId(endpointId),
      { type: 'RemoveEndpoint' },
      context,
    );
  }
}
