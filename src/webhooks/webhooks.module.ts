import { Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundWork } from '../platform/concurrency/background-work.js';
import { CreateWebhookHandler } from './commands/create-webhook.js';
import { RemoveWebhookHandler } from './commands/remove-webhook.js';
import { ReplayDeliveriesHandler } from './commands/replay-deliveries.js';
import { Deliveries } from './deliveries.js';
import { ApplyEndpointEvents, EndpointRecords, EndpointImport } from './endpoint-records.js';
import { Endpoints } from './endpoints.js';
import { WebhooksController } from './http/webhooks.controller.js';
import { GetWebhookHandler, ListWebhooksHandler } from './queries/webhooks.js';
import { ListDeliveriesHandler } from './queries/list-deliveries.js';
import { Payloads } from './sending/payloads.js';
import { WebhookSender } from './sending/webhook-sender.js';

/** Sends events to webhook endpoints. A process with the role `scheduler` sends; deliveries use wall time on any clock. */
@Module({
  controllers: [WebhooksController],
  providers: [
    CreateWebhookHandler,
    ApplyEndpointEvents,
    Deliveries,
    EndpointRecords,
    Endpoints,
    EndpointImport,
    GetWebhookHandler,
    ListDeliveriesHandler,
    ListWebhooksHandler,
    Payloads,
    RemoveWebhookHandler,
    ReplayDeliveriesHandler,
    WebhookSender,
  ],
  exports: [EndpointRecords, Endpoints],
})
export class WebhooksModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly sender: WebhookSender,
    private readonly background: BackgroundWork,
  ) {}

  onApplicationBootstrap(): void {
    this.background.register('scheduler', () => this.sender.start());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sender.stop();
  }
}
