import { fromWireId } from '../../kernel/ids.js';
import { IsDecimalInRange, IsFlag } from '../../platform/http/validation/validators.js';
import { IsOptional } from 'class-validator';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { PreviewedInvoices } from '../billing-ports.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Ctx } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { PREVIEW, type QueryParams, RawQuery } from '../../platform/http/query/query-params.js';
import { ChangePrepaidUnits, PreviewPrepaidUnits } from '../commands/change-prepaid-units.js';
import {
  SUBSCRIPTION_OR_PREVIEW,
  SubscriptionPresenter,
  type SubscriptionResource,
} from './subscription-resource.js';

/** Body of `POST /api/subscriptions/{id}/components/{metric_id}/change_prepaid_units/` (docs/contract.md#change-prepaid-units). */
export class ChangePrepaidUnitsBody {
  @IsDecimalInRange('0', '9999999999.999999') units!: string;
  @IsOptional() @IsFlag() invoice_now?: boolean;
}

@Controller('api/subscriptions/:subscription_id/components/:metric_id')
export class PrepaidUnitsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  /**
   * With `?preview=true` it answers the invoice that the change would bring, in the shape of a draft, and changes
   * nothing.
   */
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
