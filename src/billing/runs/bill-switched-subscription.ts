import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { RecordedEvent } from '../../kernel/event.js';
import { followingContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { FollowUp } from '../../platform/eventsourcing/policies/follow-ups.js';
import type { SubscriptionEvent } from '../../subscription/domain/events.js';
import { RunBilling } from './run-billing.js';

/** A switch to be invoiced at once is; otherwise its account is due at the end of the billing period. */
@Injectable()
export class BillSwitchedSubscription implements FollowUp {
  readonly name = 'bill-switched-subscription';
  readonly on = ['SubscriptionSwitched'];

  constructor(private readonly commands: CommandBus) {}

  async follow(
    event: RecordedEvent<Extract<SubscriptionEvent, { type: 'SubscriptionSwitched' }>>,
  ): Promise<void> {
    const { subscriptionId, customerKey, currency, invoicing, successor, billedTogether } = event.data;
    if (invoicing !== 'invoice_now' || billedTogether) return;
    const terms = [subscriptionId, successor.subscriptionId];
    await this.commands.execute(
      new RunBilling(followingContext(event, this.name), { customerKey, currency }, terms),
    );
  }
}
