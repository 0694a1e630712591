import { IsOptional } from 'class-validator';
import { fromWireId, type Uuid } from '../../kernel/ids.js';
import {
  ExactlyOne,
  IsFreeForm,
  IsWholeNumber,
  IsWireId,
} from '../../platform/http/validation/validators.js';
import {
  AttachAddon,
  PreviewAddon,
  type AttachAddonInput,
  type AttachedAddon,
} from '../commands/attach-addon.js';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { type Command, CommandBus, QueryBus } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Ctx } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { PREVIEW, type QueryParams, RawQuery } from '../../platform/http/query/query-params.js';
import { CancelAddon } from '../commands/cancel-addon.js';
import {
  CHANGED_ADDON,
  CHANGED_ADDON_OR_PREVIEW,
  SubscriptionPresenter,
  toChangedAddon,
} from './subscription-resource.js';
import { CancelSubscriptionBody, toCancelTerms } from './subscription.bodies.js';

/** Body of `POST /api/subscriptions/{id}/addons/attach/` (docs/contract.md#attached-add-ons). */
@ExactlyOne('addon_id', 'addon_version_id')
export class AttachAddonBody {
  @IsOptional() @IsWireId('addon') addon_id?: Uuid;
  @IsOptional() @IsWireId('addon_version') addon_version_id?: Uuid;
  @IsOptional() @IsWholeNumber(1, 2 ** 31 - 1) quantity?: number;
  @IsOptional() @IsFreeForm() metadata?: Record<string, unknown>;
}

const toAttachInput = (body: AttachAddonBody): AttachAddonInput => ({
  addon:
    body.addon_version_id !== undefined
      ? { addonVersionId: body.addon_version_id }
      : { addonId: body.addon_id! },
  quantity: body.quantity ?? 1,
  metadata: body.metadata ?? {},
});

/** Add-ons of one subscription (docs/contract.md#attached-add-ons). */
@Controller('api/subscriptions/:subscription_id/addons')
export class SubscriptionAddonsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  @Post('attach')
  @Operation({
    summary: 'Adds an add-on to a running subscription, or shows the invoice that this would bring.',
    answer: CHANGED_ADDON_OR_PREVIEW,
    body: AttachAddonBody,
    query: PREVIEW,
  })
  async attachAddon(
    @Ctx() context: CommandContext,
    @Param('subscription_id') id: string,
    @Body() body: AttachAddonBody,
    @RawQuery() query: QueryParams,
  ) {
    const asked = [context, fromWireId('sub', id), toAttachInput(body)] as const;
    if (query.read(PREVIEW).preview) return this.queries.execute(new PreviewAddon(...asked));
    return this.answer(context, new AttachAddon(...asked));
  }

  /** `addon_id` is the add-on's id, or that of its attachment (`addon_subscription_id`). */
  @Post(':addon_id/cancel')
  @HttpCode(200)
  @Operation({
    summary: 'Ends an add-on of a subscription now.',
    answer: CHANGED_ADDON,
    body: CancelSubscriptionBody,
  })
  async cancelAddon(
    @Ctx() context: CommandContext,
    @Param('subscription_id') id: string,
    @Param('addon_id') addonId: string,
    @Body() body: CancelSubscriptionBody,
  ) {
    const named = fromWireId('addon_sub', addonId) ?? fromWireId('addon', addonId);
    return this.answer(context, new CancelAddon(context, fromWireId('sub', id), named, toCancelTerms(body)));
  }

  private async answer(context: CommandContext, command: Command<AttachedAddon>) {
    const { state, addonSubscriptionId } = await this.commands.execute(command);
    const view = await this.presenter.viewOf(context, state);
    const addon = view.addons.find((shown) => shown.addonSubscriptionId === addonSubscriptionId)!;
    return toChangedAddon(addon, await this.presenter.presentOne(context, view));
  }
}
