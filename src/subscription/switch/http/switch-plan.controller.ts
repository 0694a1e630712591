import { IsIn, IsObject, IsOptional, ValidateIf } from 'class-validator';
import { fromWireId, type Uuid } from '../../../kernel/ids.js';
import { IsWireId, IsListOf } from '../../../platform/http/validation/validators.js';
import { PreviewSwitch } from '../preview-switch.js';
import { SwitchPlan, type SwitchPlanInput } from '../switch-plan.js';
import type { SwitchTerms } from '../../domain/events.js';
import { InitialUnitsBody, toPrepaidUnits } from '../../http/subscription.bodies.js';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { PreviewedInvoices } from '../../billing-ports.js';
import type { CommandContext } from '../../../platform/eventsourcing/command-runner/command-context.js';
import { Ctx } from '../../../platform/http/auth/caller.js';
import { Operation } from '../../../platform/http/openapi/operation.js';
import { PREVIEW, type QueryParams, RawQuery } from '../../../platform/http/query/query-params.js';
import {
  SUBSCRIPTION_OR_PREVIEW,
  SubscriptionPresenter,
  type SubscriptionResource,
} from '../../http/subscription-resource.js';

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Body of `POST /api/subscriptions/{id}/switch_plan/` (docs/contract.md#switch-a-plan). */
export class SwitchPlanBody {
  /** Plan to switch to, unless switch_plan_version_id is given, which takes precedence. */
  @ValidateIf((body: SwitchPlanBody) => !isGiven(body.switch_plan_version_id))
  @IsWireId('plan')
  switch_plan_id?: Uuid;
  @IsOptional() @IsWireId('plan_version') switch_plan_version_id?: Uuid;
  @IsOptional() @IsIn(['add_to_next_invoice', 'invoice_now']) invoicing_behavior?: SwitchTerms['invoicing'];
  @IsOptional()
  @IsIn(['transfer_to_new_subscription', 'keep_separate'])
  usage_behavior?: SwitchTerms['usage'];
  @IsOptional()
  @IsListOf(() => InitialUnitsBody, 500)
  @IsObject({ each: true })
  component_fixed_charges_initial_units?: InitialUnitsBody[];
}

export const toSwitchTerms = ({
  usage_behavior: usage,
  invoicing_behavior: invoicing,
}: Pick<SwitchPlanBody, 'usage_behavior' | 'invoicing_behavior'>): SwitchTerms => ({
  usage: usage ?? 'transfer_to_new_subscription',
  invoicing: invoicing ?? 'invoice_now',
});

const toSwitch = (body: SwitchPlanBody): SwitchPlanInput => ({
  to: body.switch_plan_version_id
    ? { versionId: body.switch_plan_version_id }
    : { planId: body.switch_plan_id! },
  terms: toSwitchTerms(body),
  prepaidUnits: toPrepaidUnits(body.component_fixed_charges_initial_units),
});

@Controller('api/subscriptions')
export class SwitchPlanController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  /**
   * Answers the new subscription; with `?preview=true` the invoice that the switch would bring, in the shape of a
   * draft.
   */
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
