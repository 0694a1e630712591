import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { CustomerEvent } from '../../customer/domain/events.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { followingContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { FollowUp } from '../../platform/eventsourcing/policies/follow-ups.js';
import { isInvoicedNow, type BulkChangeEvent } from '../../subscription/domain/bulk-change.js';
import type { Subscription } from '../../subscription/domain/subscription-state.js';
import { SubscriptionReader } from '../../subscription/subscription-reader.js';
import { RunBilling } from './run-billing.js';

type Deciding = BulkChangeEvent | Extract<CustomerEvent, { type: 'CustomerDeleted' }>;

/** Subscriptions that one decision cancels or switches are invoiced by one run per account, after all of them. */
@Injectable()
export class BillBulkChange implements FollowUp {
  readonly name = 'bill-changed-bulkRun';
  readonly on: readonly Deciding['type'][] = ['BulkChangeAccepted', 'CustomerDeleted'];

  constructor(
    private readonly commands: CommandBus,
    private readonly subscriptions: SubscriptionReader,
  ) {}

  async follow(event: RecordedEvent<Deciding>): Promise<void> {
    const { customerKey } = event.data;
    const { org } = event.metadata;
    const read = await Promise.all(termsOf(event).map((id) => this.changed(org, id)));
    const terms = read.flatMap((one) => one?.term ?? []);
    for (const currency of new Set(terms.map(({ basis }) => basis.currency))) {
      const context = followingContext(event, `${this.name} ${currency}`);
      const ids = terms.filter(({ basis }) => basis.currency === currency).map((term) => term.subscriptionId);
      await this.commands.execute(new RunBilling(context, { customerKey, currency }, ids, ids));
    }
  }

  /** A term that was renewed before its turn came was changed where it goes on. */
  private async changed(org: Uuid, id: Uuid): Promise<Subscription | undefined> {
    const state = (await this.subscriptions.load(org, id))?.state;
    const isChanged = state?.cancelled?.billedTogether || state?.switched?.billedTogether;
    return state?.successor && !isChanged ? this.changed(org, state.successor) : state;
  }
}

/** The terms to bill, those that a switch begins with them; none where what changed waits for the next invoice. */
function termsOf({ type, data }: RecordedEvent<Deciding>): readonly Uuid[] {
  if (type === 'CustomerDeleted') return data.subscriptionIds;
  const { change, subscriptionIds } = data as BulkChangeEvent['data'];
  if (!isInvoicedNow(change)) return [];
  return change.kind === 'switch'
    ? [...subscriptionIds, ...change.to.map(({ successorId }) => successorId)]
    : subscriptionIds;
}
