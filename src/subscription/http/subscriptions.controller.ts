import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { PreviewedInvoices } from '../billing-ports.js';
import { fromWireId } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Caller, Ctx } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { listOf } from '../../platform/http/openapi/schema.js';
import { PREVIEW, Page, RawQuery, type QueryParams } from '../../platform/http/query/query-params.js';
import { CancelSubscription, PreviewCancel } from '../commands/cancel-subscription.js';
import { ChangeSubscription } from '../commands/change-subscription.js';
import { CreateSubscription, PreviewSubscription } from '../commands/create-subscription.js';
import { GetSubscription } from '../queries/get-subscription.js';
import { ListSubscriptions, STATUSES, SUBSCRIPTION_ORDERINGS } from '../queries/list-subscriptions.js';
import {
  CancelSubscriptionBody,
  ChangeSubscriptionBody,
  toCancelTerms,
  toTermChanges,
  CreateSubscriptionBody,
  toInput,
} from './subscription.bodies.js';
import {
  SUBSCRIPTION,
  SUBSCRIPTION_OR_PREVIEW,
  SubscriptionPresenter,
  type SubscriptionResource,
} from './subscription-resource.js';
import { subscriptionFilters } from '../filter-schema.js';

const SELECTION = {
  customerId: (q: QueryParams) => q.reference('customer_id', 'customer'),
  planId: (q: QueryParams) => q.id('plan_id', 'plan'),
  statuses: (q: QueryParams) => q.choices('status', STATUSES),
  rangeStart: (q: QueryParams) => q.instant('range_start'),
  rangeEnd: (q: QueryParams) => q.instant('range_end'),
  filters: subscriptionFilters,
  ordering: (q: QueryParams) => q.choice('ordering', SUBSCRIPTION_ORDERINGS),
  page: (q: QueryParams) => q.page({ default: 100, max: 1000 }),
};

const CREATION = {
  summary: 'Subscribes a customer to a plan, or shows the invoice that this would bring.',
  answer: SUBSCRIPTION_OR_PREVIEW,
  body: CreateSubscriptionBody,
  query: PREVIEW,
};

@Controller('api/subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  @Post()
  @Operation(CREATION)
  async createSubscription(
    @Ctx() context: CommandContext,
    @Body() body: CreateSubscriptionBody,
    @RawQuery() query: QueryParams,
  ): Promise<SubscriptionResource | PreviewedInvoices> {
    const input = toInput(context.org, body);
    if (query.read(PREVIEW).preview) return this.queries.execute(new PreviewSubscription(context, input));
    const { state, fullyBilled } = await this.commands.execute(new CreateSubscription(context, input));
    return this.presenter.presentState(context, state, fullyBilled);
  }

  /** Lotus has the creation under this path. */
  @Post('add')
  @Operation({
    ...CREATION,
    summary: 'Creates a subscription, as `createSubscription` does, under the path of Lotus.',
  })
  addSubscription(
    @Ctx() context: CommandContext,
    @Body() body: CreateSubscriptionBody,
    @RawQuery() query: QueryParams,
  ): Promise<SubscriptionResource | PreviewedInvoices> {
    return this.createSubscription(context, body, query);
  }

  @Get()
  @Operation({ summary: 'Lists the subscriptions.', answer: listOf(SUBSCRIPTION), query: SELECTION })
  async listSubscriptions(
    @Caller() { org }: Caller,
    @RawQuery() query: QueryParams,
  ): Promise<Page<SubscriptionResource>> {
    const { page, ...filters } = query.read(SELECTION);
    const { rows, nextCursor } = await this.queries.execute(
      new ListSubscriptions(org, { ...filters, ...page }),
    );
    return new Page(await this.presenter.present(org, rows), nextCursor);
  }

  @Get(':subscription_id')
  @Operation({ summary: 'Returns a subscription.', answer: SUBSCRIPTION })
  async getSubscription(
    @Caller() { org }: Caller,
    @Param('subscription_id') id: string,
  ): Promise<SubscriptionResource> {
    const view = await this.queries.execute(new GetSubscription(org, fromWireId('sub', id)));
    return this.presenter.presentOne(org, view);
  }

  @Post(':subscription_id/update')
  @HttpCode(200)
  @Operation({
    summary: 'Changes the end, the renewal or the metadata of a subscription.',
    answer: SUBSCRIPTION,
    body: ChangeSubscriptionBody,
  })
  async updateSubscription(
    @Ctx() context: CommandContext,
    @Param('subscription_id') id: string,
    @Body() body: ChangeSubscriptionBody,
  ): Promise<SubscriptionResource> {
    const command = new ChangeSubscription(context, fromWireId('sub', id), toTermChanges(body));
    return this.presenter.presentState(context, await this.commands.execute(command));
  }

  @Post(':subscription_id/cancel')
  @HttpCode(200)
  @Operation({
    summary: 'Cancels a subscription now, or shows the invoice that this would bring.',
    answer: SUBSCRIPTION_OR_PREVIEW,
    body: CancelSubscriptionBody,
    query: PREVIEW,
  })
  async cancelSubscription(
    @Ctx() context: CommandContext,
    @Param('subscription_id') id: string,
    @Body() body: CancelSubscriptionBody,
    @RawQuery() query: QueryParams,
  ): Promise<SubscriptionResource | PreviewedInvoices> {
    if (query.read(PREVIEW).preview) {
      return this.queries.execute(new PreviewCancel(context, fromWireId('sub', id), toCancelTerms(body)));
    }
    const command = new CancelSubscription(context, fromWireId('sub', id), toCancelTerms(body));
    const { state, fullyBilled } = await this.commands.execute(command);
    return this.presenter.presentState(context, state, fullyBilled);
  }
}
