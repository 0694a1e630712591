import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { CustomerEvent } from '../../customer/domain/events.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { followingContext } from '../../platform/commands/command-context.js';
import type { FollowUp } from '../../platform/commands/follow-ups.js';
import { SubscriptionReader } from '../../subscription/subscription-reader.js';
import { RunBilling } from './run-billing.js';

type Ending = Extract<CustomerEvent, { type: 'BulkChangeAccepted' | 'CustomerDeleted' }>;

/** Subscriptions that were cancelled by one decision are invoiced by one run per account, after all of them have ended. */
@Injectable()
export class BillCancelledTogether implements FollowUp {
  readonly name = 'bill-cancelled-together';
  readonly on: readonly Ending['type'][] = ['BulkChangeAccepted', 'CustomerDeleted'];

  constructor(
    private readonly commands: CommandBus,
    private readonly subscriptions: SubscriptionReader,
  ) {}

  async follow(event: RecordedEvent<Ending>): Promise<void> {
    const { customerKey, subscriptionIds } = event.data;
    if (!isInvoicedNow(event)) return;
    const { org } = event.metadata;
    const read = await Promise.all(subscriptionIds.map((id) => this.subscriptions.load(org, id)));
    const terms = read.flatMap((one) => one?.state.term ?? []);
    for (const currency of new Set(terms.map(({ basis }) => basis.currency))) {
      const context = followingContext(event, `${this.name} ${currency}`);
      const ids = terms.filter(({ basis }) => basis.currency === currency).map((term) => term.subscriptionId);
      await this.commands.execute(new RunBilling(context, { customerKey, currency }, ids));
    }
  }
}

function isInvoicedNow({ type, data }: RecordedEvent<Ending>): boolean {
  if (type === 'CustomerDeleted') return true;
  const { change } = data as Extract<Ending, { type: 'BulkChangeAccepted' }>['data'];
  return change.kind === 'cancel' && change.terms.invoicing === 'invoice_now';
}
