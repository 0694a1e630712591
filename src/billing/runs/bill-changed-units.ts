import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { RecordedEvent } from '../../kernel/event.js';
import { followingContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { FollowUp } from '../../platform/eventsourcing/policies/follow-ups.js';
import type { SubscriptionEvent } from '../../subscription/domain/events.js';
import { RunBilling } from './run-billing.js';

/** Other prepaid units that are to be invoiced at once are; otherwise they stand on the account's next invoice. */
@Injectable()
export class BillChangedUnits implements FollowUp {
  readonly name = 'bill-changed-units';
  readonly on = ['PrepaidUnitsChanged'];

  constructor(private readonly commands: CommandBus) {}

  async follow(
    event: RecordedEvent<Extract<SubscriptionEvent, { type: 'PrepaidUnitsChanged' }>>,
  ): Promise<void> {
    const { subscriptionId, customerKey, currency, invoiceNow } = event.data;
    if (!invoiceNow) return;
    const context = followingContext(event, this.name);
    await this.commands.execute(new RunBilling(context, { customerKey, currency }, [subscriptionId]));
  }
}
