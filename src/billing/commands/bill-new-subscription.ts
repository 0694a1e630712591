import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { RecordedEvent } from '../../kernel/event.js';
import { followingContext } from '../../platform/commands/command-context.js';
import type { FollowUp } from '../../platform/commands/follow-ups.js';
import type { SubscriptionEvent } from '../../subscription/domain/events.js';
import { RunBilling } from './run-billing.js';

/** A created subscription is billed what is due at once; its account learns of it by this run (ADR 2). */
@Injectable()
export class BillNewSubscription implements FollowUp {
  readonly name = 'bill-new-subscription';
  readonly on = ['SubscriptionStarted'];

  constructor(private readonly commands: CommandBus) {}

  async follow(
    event: RecordedEvent<Extract<SubscriptionEvent, { type: 'SubscriptionStarted' }>>,
  ): Promise<void> {
    const { term, origin } = event.data;
    if (origin.kind !== 'created') return;
    const account = { customerKey: term.customerKey, currency: term.basis.currency };
    await this.commands.execute(
      new RunBilling(followingContext(event, this.name), account, [term.subscriptionId]),
    );
  }
}
