import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { PreviewedInvoices } from '../billing-ports.js';
import { fromWireId } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Ctx } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { RawQuery, type QueryParams } from '../../platform/http/query/query-params.js';
import { ChangePrepaidUnits, PreviewPrepaidUnits } from '../commands/change-prepaid-units.js';
import { ChangePrepaidUnitsBody } from './prepaid-units.body.js';
import { SubscriptionPresenter } from './subscription-presenter.js';
import { type SubscriptionResource, PREVIEW, SUBSCRIPTION_OR_PREVIEW } from './subscription-schema.js';

@Controller('api/subscriptions/:subscription_id/components/:metric_id')
export class PrepaidUnitsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  /** With `?preview=true` only the invoice that it would bring, in the shape of the draft invoice. */
  @Post('change_prepaid_units')
  @HttpCode(200)
  @Operation({
    summary: 'Changes the prepaid units of a component, or shows the invoice that this would bring.',
    answer: SUBSCRIPTION_OR_PREVIEW,
    body: ChangePrepaidUnitsBody,
    query: PREVIEW,
  })
  async changePrepaidUnits(
    @Ctx() context: CommandContext,
    @Param('subscription_id') subscriptionId: string,
    @Param('metric_id') metricId: string,
    @RawQuery() query: QueryParams,
    @Body() body: ChangePrepaidUnitsBody,
  ): Promise<SubscriptionResource | PreviewedInvoices> {
    const input = {
      subscriptionId: fromWireId('sub', subscriptionId),
      metricId: fromWireId('metric', metricId),
      units: body.units,
      invoiceNow: body.invoice_now ?? true,
    };
    if (query.read(PREVIEW).preview) {
      return this.queries.execute(new PreviewPrepaidUnits(context, input));
    }
    const state = await this.commands.execute(new ChangePrepaidUnits(context, input));
    return this.presenter.presentState(context, state);
  }
}
