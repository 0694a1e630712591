import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { Endpoints } from '../endpoints.js';
import { noSuchWebhook } from '../queries/webhooks.js';

export class RemoveWebhook extends Command<void> {
  constructor(
    readonly org: Uuid,
    readonly id: Uuid | undefined,
  ) {
    super();
  }
}

@CommandHandler(RemoveWebhook)
export class RemoveWebhookHandler implements ICommandHandler<RemoveWebhook> {
  constructor(private readonly endpoints: Endpoints) {}

  /** @throws DomainError `not_found` */
  async execute({ org, id }: RemoveWebhook): Promise<void> {
    if (id === undefined || !(await this.endpoints.remove(org, id))) throw noSuchWebhook();
  }
}
