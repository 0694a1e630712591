import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, type Command } from '@nestjs/cqrs';
import { fromWireId, type Uuid } from '../../kernel/ids.js';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import { Ctx } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { AttachAddon, type ChangedAddon } from '../commands/attach-addon.js';
import { CancelAddon } from '../commands/cancel-addon.js';
import { toChangedAddon } from './subscription-resource.js';
import { CHANGED_ADDON } from './subscription-schema.js';
import { AttachAddonBody, toAttachInput } from './attach-addon.body.js';
import { CancelSubscriptionBody, toCancelTerms } from './change-subscription.body.js';
import { SubscriptionPresenter } from './subscription-presenter.js';

/** Add-ons of one subscription (docs/contract.md#attached-add-ons). */
@Controller('api/subscriptions/:subscription_id/addons')
export class SubscriptionAddonsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  @Post('attach')
  @Operation({
    summary: 'Adds an add-on to a running subscription.',
    answer: CHANGED_ADDON,
    body: AttachAddonBody,
  })
  async attachAddon(
    @Ctx() context: CommandContext,
    @Param('subscription_id') id: string,
    @Body() body: AttachAddonBody,
  ) {
    return this.answer(context.org, new AttachAddon(context, fromWireId('sub', id), toAttachInput(body)));
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
    return this.answer(
      context.org,
      new CancelAddon(context, fromWireId('sub', id), named, toCancelTerms(body)),
    );
  }

  private async answer(org: Uuid, command: Command<ChangedAddon>) {
    const { state, addonSubscriptionId } = await this.commands.execute(command);
    const view = await this.presenter.viewOf(org, state);
    const addon = view.addons.find((shown) => shown.addonSubscriptionId === addonSubscriptionId)!;
    return toChangedAddon(addon, await this.presenter.presentOne(org, view));
  }
}
