import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { RecordedEvent } from '../../kernel/event.js';
import { followingContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { FollowUp } from '../../platform/eventsourcing/policies/follow-ups.js';
import type { SubscriptionEvent } from '../../subscription/domain/events.js';
import { RunBilling } from './run-billing.js';

/** A subscription that was cancelled to be invoiced at once is; otherwise its account is due at the former end. */
@Injectable()
export class BillCancelledSubscription implements FollowUp {
  readonly name = 'bill-cancelled-subscription';
  readonly on = ['SubscriptionCancelled'];

  constructor(private readonly commands: CommandBus) {}

  async follow(
    event: RecordedEvent<Extract<SubscriptionEvent, { type: 'SubscriptionCancelled' }>>,
  ): Promise<void> {
    const { subscriptionId, customerKey, currency, invoicing, billedTogether } = event.data;
    if (invoicing !== 'invoice_now' || billedTogether) return;
    const context = followingContext(event, this.name);
    await this.commands.execute(new RunBilling(context, { customerKey, currency }, [subscriptionId]));
  }
}
