import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { RecordedEvent } from '../../kernel/event.js';
import { followingContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { FollowUp } from '../../platform/eventsourcing/policies/follow-ups.js';
import type { SubscriptionEvent } from '../../subscription/domain/events.js';
import { RunBilling } from './run-billing.js';

type Type = 'AddonAttached' | 'AddonCancelled';

/** An add-on that is to be invoiced at once is; otherwise its account is due when it is to be. */
@Injectable()
export class BillAddon implements FollowUp {
  readonly name = 'bill-addon';
  readonly on: readonly Type[] = ['AddonAttached', 'AddonCancelled'];

  constructor(private readonly commands: CommandBus) {}

  async follow(event: RecordedEvent<Extract<SubscriptionEvent, { type: Type }>>): Promise<void> {
    const { data } = event;
    const now =
      'addon' in data ? data.addon.invoiceWhen === 'invoice_on_attach' : data.invoicing === 'invoice_now';
    if (!now) return;
    const { subscriptionId, customerKey, currency } = data;
    const context = followingContext(event, this.name);
    await this.commands.execute(new RunBilling(context, { customerKey, currency }, [subscriptionId]));
  }
}
