import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { Ctx } from '../../platform/http/caller.js';
import { RawQuery, type QueryParams } from '../../platform/http/query-params.js';
import { ChangeByFilter } from '../commands/change-by-filter.js';
import { CancelByFilterBody, selectionReaders, UpdateByFilterBody } from './change-by-filter.body.js';
import { toCancelTerms, toChanges } from './change-subscription.body.js';
import { SubscriptionPresenter } from './subscription-presenter.js';
import type { SubscriptionResource } from './subscription-resource.js';

/** Operations on all of a customer's running subscriptions that match, in the deprecated style of their paths. */
@Controller('api/subscriptions')
export class ChangesByFilterController {
  constructor(
    private readonly commands: CommandBus,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  @Post('cancel')
  @HttpCode(200)
  cancel(
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
  update(
    @Ctx() context: CommandContext,
    @RawQuery() query: QueryParams,
    @Body() body: UpdateByFilterBody,
  ): Promise<SubscriptionResource[]> {
    const readers = selectionReaders(body);
    const selection = query.read({
      ...readers,
      planId: (q) => q.required('plan_id', readers.planId(q)),
    });
    return this.answer(new ChangeByFilter(context, selection, { kind: 'change', changes: toChanges(body) }));
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
