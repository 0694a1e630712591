import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Ctx } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { listOf } from '../../platform/http/openapi/schema.js';
import { RawQuery, type QueryParams } from '../../platform/http/query/query-params.js';
import { ChangeByFilter } from '../commands/change-by-filter.js';
import {
  CancelByFilterBody,
  selectionReaders,
  toWantedChange,
  UpdateByFilterBody,
} from './change-by-filter.body.js';
import { toCancelTerms } from './change-subscription.body.js';
import { SUBSCRIPTION, type SubscriptionResource } from './subscription-schema.js';
import { SubscriptionPresenter } from './subscription-presenter.js';

/** An update names the plan. */
const updateReaders = (body: Parameters<typeof selectionReaders>[0]) => {
  const readers = selectionReaders(body);
  return { ...readers, planId: (q: QueryParams) => q.required('plan_id', readers.planId(q)) };
};

/** Operations on all of a customer's running subscriptions that match, in the deprecated style of their paths. */
@Controller('api/subscriptions')
export class ChangesByFilterController {
  constructor(
    private readonly commands: CommandBus,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  @Post('cancel')
  @HttpCode(200)
  @Operation({
    summary: 'Ends every matching subscription of a customer now.',
    answer: listOf(SUBSCRIPTION),
    query: selectionReaders({}),
    body: CancelByFilterBody,
    deprecated: true,
  })
  cancelSubscriptions(
    @Ctx() context: CommandContext,
    @RawQuery() query: QueryParams,
    @Body() body: CancelByFilterBody,
  ): Promise<SubscriptionResource[]> {
    const selection = query.read(selectionReaders(body));
    return this.answer(
      new ChangeByFilter(context, selection, { kind: 'cancel', terms: toCancelTerms(body) }),
    );
  }

  @Post('update')
  @HttpCode(200)
  @Operation({
    summary: 'Changes every matching subscription of a customer, all or none.',
    answer: listOf(SUBSCRIPTION),
    query: updateReaders({}),
    body: UpdateByFilterBody,
    deprecated: true,
  })
  updateSubscriptions(
    @Ctx() context: CommandContext,
    @RawQuery() query: QueryParams,
    @Body() body: UpdateByFilterBody,
  ): Promise<SubscriptionResource[]> {
    const selection = query.read(updateReaders(body));
    return this.answer(new ChangeByFilter(context, selection, toWantedChange(body)));
  }

  private async answer(command: ChangeByFilter): Promise<SubscriptionResource[]> {
    const changed = await this.commands.execute(command);
    const { org } = command.context;
    const views = await Promise.all(
      changed.map(({ state, fullyBilled }) => this.presenter.viewOf(org, state, fullyBilled)),
    );
    return this.presenter.present(org, views);
  }
}
