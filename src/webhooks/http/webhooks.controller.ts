import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
} from 'class-validator';
import { type Trigger, TRIGGERS } from '../domain/triggers.js';
import { FieldSchema } from '../../platform/http/openapi/field-schema.js';
import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { invalidFields } from '../../kernel/errors.js';
import type { Position } from '../../kernel/event.js';
import { fromWireId, toWireId, type Uuid } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import { pageOf } from '../../platform/database/cursor.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Caller, Ctx, RequireScope } from '../../platform/http/auth/caller.js';
import { OneTimeSecret } from '../../platform/http/idempotency/idempotency-keys.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { listOf, type WireOf } from '../../platform/http/openapi/schema.js';
import { Page, type QueryParams, RawQuery } from '../../platform/http/query/query-params.js';
import { LOG_POSITION, OpaquePositions } from '../../platform/privacy/vault.js';
import { CreateWebhook } from '../commands/create-webhook.js';
import { RemoveWebhook } from '../commands/remove-webhook.js';
import { ReplayDeliveries } from '../commands/replay-deliveries.js';
import type { Delivery } from '../deliveries.js';
import type { Endpoint } from '../endpoints.js';
import { GetWebhook, ListWebhooks } from '../queries/webhooks.js';
import { DELIVERY_ORDERINGS, ListDeliveries } from '../queries/list-deliveries.js';
import { DELIVERY, DELIVERY_STATUSES, NEW_WEBHOOK, REPLAYED, WEBHOOK } from './webhook-schema.js';

export class CreateWebhookBody {
  @IsString() @IsNotEmpty() @MaxLength(100) name!: string;
  @IsString() @IsNotEmpty() @MaxLength(2_000) webhook_url!: string;
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(TRIGGERS.length)
  @ArrayUnique()
  @IsIn(TRIGGERS, { each: true })
  triggers!: Trigger[];
}

export class ReplayBody {
  /** Position as a delivery shows it; `0/0` is before every event. */
  @IsOptional() @IsString() @MaxLength(100) after_position?: string;

  @IsOptional() @IsString() @FieldSchema({ type: 'string', format: 'uuid' }) event_id?: string;
}

const DELIVERIES = {
  statuses: (q: QueryParams) => q.choices('status', DELIVERY_STATUSES),
  ordering: (q: QueryParams) => q.choice('ordering', DELIVERY_ORDERINGS),
  page: (q: QueryParams) => q.page({ default: 100, max: 1000 }),
};

/** Position before every event. */
const START_OF_LOG = '0/0';

const PAGE = { page: (q: QueryParams) => q.page({ default: 1000, max: 1000 }) };

/** Endpoints and their deliveries. Deliveries name customers, so these operations require an admin key. */
@Controller('api/webhooks')
@RequireScope('admin')
export class WebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly positions: OpaquePositions,
  ) {}

  @Get()
  @Operation({
    summary: 'Lists the webhook endpoints, without their secrets.',
    answer: listOf(WEBHOOK),
    query: PAGE,
  })
  async listWebhooks(@Caller() { org }: Caller, @RawQuery() query: QueryParams) {
    const all = await this.queries.execute(new ListWebhooks(org));
    const { rows, nextCursor } = pageOf(all, PAGE.page(query), ({ createdAt: at, id }) => ({ at, id }));
    return new Page(rows.map(present), nextCursor);
  }

  /** Shows the secret in this answer only; a repeat under the same Idempotency-Key has null instead. */
  @Post()
  @Operation({
    summary: 'Creates a webhook endpoint and shows its secret this once.',
    answer: NEW_WEBHOOK,
    body: CreateWebhookBody,
  })
  async createWebhook(@Ctx() context: CommandContext, @Body() body: CreateWebhookBody) {
    const { name, webhook_url: url, triggers } = body;
    const { endpoint, isNew } = await this.commands.execute(
      new CreateWebhook(context, { name, url, triggers }),
    );
    return {
      ...present(endpoint),
      webhook_secret: isNew ? new OneTimeSecret(endpoint.secret) : null,
    };
  }

  @Get(':webhook_endpoint_id')
  @Operation({ summary: 'Returns a webhook endpoint.', answer: WEBHOOK })
  async getWebhook(@Caller() { org }: Caller, @Param('webhook_endpoint_id') id: string) {
    return present(await this.queries.execute(new GetWebhook(org, fromWireId('webhook', id))));
  }

  @Delete(':webhook_endpoint_id')
  @Operation({ summary: 'Removes a webhook endpoint; nothing more is sent to it.', answer: WEBHOOK })
  async deleteWebhook(@Ctx() context: CommandContext, @Param('webhook_endpoint_id') id: string) {
    const endpoint = await this.queries.execute(new GetWebhook(context.org, fromWireId('webhook', id)));
    await this.commands.execute(new RemoveWebhook(context, endpoint.id));
    return present(endpoint);
  }

  @Get(':webhook_endpoint_id/deliveries')
  @Operation({
    summary: 'Lists the deliveries to an endpoint, sent and waiting.',
    answer: listOf(DELIVERY),
    query: DELIVERIES,
  })
  async listWebhookDeliveries(
    @Caller() { org }: Caller,
    @Param('webhook_endpoint_id') id: string,
    @RawQuery() query: QueryParams,
  ): Promise<Page<WireOf<typeof DELIVERY>>> {
    const { statuses, ordering, page } = query.read(DELIVERIES);
    const { rows, nextCursor } = await this.queries.execute(
      new ListDeliveries(org, fromWireId('webhook', id), statuses, { ordering, ...page }),
    );
    return new Page(
      rows.map((delivery) => this.presentDelivery(org, delivery)),
      nextCursor,
    );
  }

  /** Replays the events after a position of the log, one event, or without a body the dead deliveries. */
  @Post(':webhook_endpoint_id/replay')
  @HttpCode(200)
  @Operation({
    summary: 'Sends deliveries again: the dead ones, one event, or everything after a position.',
    answer: REPLAYED,
    body: ReplayBody,
    bodyOptional: true,
  })
  async replayWebhookDeliveries(
    @Ctx() { org }: CommandContext,
    @Param('webhook_endpoint_id') id: string,
    @Body() { after_position: position, event_id: eventId }: ReplayBody,
  ): Promise<{ readonly replayed: number }> {
    if (position !== undefined && eventId !== undefined) {
      const detail = 'A replay has one selection. Give after_position or event_id, not both.';
      throw invalidFields({ code: 'invalid', detail, attr: 'non_field_errors' });
    }
    const choice = { after: position === undefined ? undefined : this.positionOf(org, position), eventId };
    const replayed = await this.commands.execute(
      new ReplayDeliveries(org, fromWireId('webhook', id), choice),
    );
    return { replayed };
  }

  private positionOf(org: Uuid, position: string): Position {
    if (position === START_OF_LOG) return { commit: 0n, prepare: 0n };
    const revealed = this.positions.reveal(org, LOG_POSITION, position);
    if (revealed) return revealed;
    const detail = `This is not a position of a delivery. Give one from the list, or ${START_OF_LOG} for all.`;
    throw invalidFields({ code: 'invalid', detail, attr: 'after_position' });
  }

  private presentDelivery(org: Uuid, delivery: Delivery): WireOf<typeof DELIVERY> {
    const { commit, prepare } = delivery;
    return {
      event_id: delivery.event_id,
      trigger: delivery.trigger,
      position: this.positions.conceal(org, LOG_POSITION, {
        commit: BigInt(commit),
        prepare: BigInt(prepare),
      }),
      status: delivery.status,
      attempts: delivery.attempts,
      first_attempt_at: delivery.first_attempt_at && formatInstant(delivery.first_attempt_at),
      next_attempt_at: delivery.status === 'pending' ? formatInstant(delivery.next_attempt_at) : null,
      delivered_at: delivery.delivered_at && formatInstant(delivery.delivered_at),
      last_status: delivery.last_status,
      last_error: delivery.last_error,
    };
  }
}

const present = ({ id, name, url, triggers, createdAt }: Endpoint): WireOf<typeof WEBHOOK> => ({
  webhook_endpoint_id: toWireId('webhook', id),
  name,
  webhook_url: url,
  triggers,
  created_at: formatInstant(createdAt),
});
