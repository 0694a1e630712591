import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { invalidFields } from '../../kernel/errors.js';
import { formatPosition, parsePosition } from '../../kernel/event.js';
import { fromWireId, toWireId } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { Caller, Ctx, RequireScope } from '../../platform/http/caller.js';
import { ShownOnce } from '../../platform/http/idempotency/shown-once.js';
import { Page } from '../../platform/http/page.js';
import { RawQuery, type QueryParams } from '../../platform/http/query-params.js';
import { CreateWebhook } from '../commands/create-webhook.js';
import { RemoveWebhook } from '../commands/remove-webhook.js';
import { ReplayDeliveries } from '../commands/replay-deliveries.js';
import type { Delivery } from '../deliveries.js';
import type { Endpoint } from '../endpoints.js';
import { GetWebhook } from '../queries/get-webhook.js';
import { ListDeliveries } from '../queries/list-deliveries.js';
import { ListWebhooks } from '../queries/list-webhooks.js';
import { CreateWebhookBody } from './create-webhook.body.js';
import { ReplayBody } from './replay.body.js';

/** Who is told, and of what; what is sent names customers, so this takes an admin's key. */
@Controller('api/webhooks')
@RequireScope('admin')
export class WebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(@Caller() { org }: Caller) {
    return (await this.queries.execute(new ListWebhooks(org))).map(present);
  }

  /** The secret is in this one answer; a repeat under the same Idempotency-Key has null in its place. */
  @Post()
  async create(@Ctx() context: CommandContext, @Body() body: CreateWebhookBody) {
    const { name, webhook_url: url, triggers } = body;
    const { endpoint, isNew } = await this.commands.execute(
      new CreateWebhook(context, { name, url, triggers }),
    );
    return { ...present(endpoint), webhook_secret: isNew ? new ShownOnce(endpoint.secret) : null };
  }

  @Get(':webhook_endpoint_id')
  async one(@Caller() { org }: Caller, @Param('webhook_endpoint_id') id: string) {
    return present(await this.queries.execute(new GetWebhook(org, fromWireId('webhook', id))));
  }

  @Delete(':webhook_endpoint_id')
  async remove(@Caller() { org }: Caller, @Param('webhook_endpoint_id') id: string) {
    const endpoint = await this.queries.execute(new GetWebhook(org, fromWireId('webhook', id)));
    await this.commands.execute(new RemoveWebhook(org, endpoint.id));
    return present(endpoint);
  }

  @Get(':webhook_endpoint_id/deliveries')
  async deliveries(
    @Caller() { org }: Caller,
    @Param('webhook_endpoint_id') id: string,
    @RawQuery() query: QueryParams,
  ): Promise<Page<object>> {
    const { statuses, page } = query.read({
      statuses: (q) => q.choices('status', ['pending', 'delivered', 'dead'] as const),
      page: (q) => q.page({ default: 100, max: 1000 }),
    });
    const { rows, nextCursor } = await this.queries.execute(
      new ListDeliveries(org, fromWireId('webhook', id), statuses, page),
    );
    return new Page(rows.map(presentDelivery), nextCursor);
  }

  /** What follows a position of the log, or one event, or, where nothing is said, what was given up. */
  @Post(':webhook_endpoint_id/replay')
  @HttpCode(200)
  async replay(
    @Ctx() { org }: CommandContext,
    @Param('webhook_endpoint_id') id: string,
    @Body() { after_position: position, event_id: eventId }: ReplayBody,
  ): Promise<{ readonly replayed: number }> {
    if (position !== undefined && eventId !== undefined) {
      const detail = 'Give after_position or event_id, not both.';
      throw invalidFields({ code: 'invalid', detail, attr: 'non_field_errors' });
    }
    const choice = { after: position === undefined ? undefined : parsePosition(position), eventId };
    const replayed = await this.commands.execute(
      new ReplayDeliveries(org, fromWireId('webhook', id), choice),
    );
    return { replayed };
  }
}

const present = ({ id, name, url, triggers, createdAt }: Endpoint) => ({
  webhook_endpoint_id: toWireId('webhook', id),
  name,
  webhook_url: url,
  triggers,
  created_at: formatInstant(createdAt),
});

const presentDelivery = (delivery: Delivery) => ({
  event_id: delivery.event_id,
  trigger: delivery.trigger,
  position: formatPosition({ commit: BigInt(delivery.commit), prepare: BigInt(delivery.prepare) }),
  status: delivery.status,
  attempts: delivery.attempts,
  first_attempt_at: delivery.first_attempt_at && formatInstant(delivery.first_attempt_at),
  next_attempt_at: delivery.status === 'pending' ? formatInstant(delivery.next_attempt_at) : null,
  delivered_at: delivery.delivered_at && formatInstant(delivery.delivered_at),
  last_status: delivery.last_status,
  last_error: delivery.last_error,
});
