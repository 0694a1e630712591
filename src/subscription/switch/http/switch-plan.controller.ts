import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { PreviewedInvoices } from '../../billing-ports.js';
import { fromWireId } from '../../../kernel/ids.js';
import type { CommandContext } from '../../../platform/eventsourcing/command-runner/command-context.js';
import { Ctx } from '../../../platform/http/auth/caller.js';
import { Operation } from '../../../platform/http/openapi/operation.js';
import { RawQuery, type QueryParams } from '../../../platform/http/query/query-params.js';
import { SwitchPlan, PreviewSwitch } from '../switch-plan.js';
import { SubscriptionPresenter } from '../../http/subscription-presenter.js';
import {
  type SubscriptionResource,
  PREVIEW,
  SUBSCRIPTION_OR_PREVIEW,
} from '../../http/subscription-schema.js';
import { SwitchPlanBody, toSwitch } from './switch-plan.body.js';

@Controller('api/subscriptions')
export class SwitchPlanController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  /** The new subscription; with `?preview=true` only the invoice that it would bring, in the shape of the draft invoice. */
  @Post(':subscription_id/switch_plan')
  @HttpCode(200)
  @Operation({
    summary: 'Switches a subscription to another plan, or shows the invoice that this would bring.',
    answer: SUBSCRIPTION_OR_PREVIEW,
    body: SwitchPlanBody,
    query: PREVIEW,
  })
  async switchPlan(
    @Ctx() context: CommandContext,
    @Param('subscription_id') id: string,
    @RawQuery() query: QueryParams,
    @Body() body: SwitchPlanBody,
  ): Promise<SubscriptionResource | PreviewedInvoices> {
    const asked = [context, fromWireId('sub', id), toSwitch(body)] as const;
    if (query.read(PREVIEW).preview) return this.queries.execute(new PreviewSwitch(...asked));
    const { successor } = await this.commands.execute(new SwitchPlan(...asked));
    return this.presenter.presentState(context, successor);
  }
}
