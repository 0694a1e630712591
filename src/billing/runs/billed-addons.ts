import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/stream.js';
import { readState } from '../../platform/eventsourcing/command-runner/read-stream.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import type { BillableAccount } from './billing-run-loader.js';
import { account, accountId } from '../accounts/domain/account.js';

/** Add-ons of a term that ended on their own and owe nothing more: for an answer that cannot wait for the read models. */
export class BilledAddons extends Query<ReadonlySet<Uuid>> {
  constructor(
    readonly org: Uuid,
    readonly account: BillableAccount,
    readonly subscriptionId: Uuid,
  ) {
    super();
  }
}

@QueryHandler(BilledAddons)
export class BilledAddonsHandler implements IQueryHandler<BilledAddons> {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  async execute({ org, account: billed, subscriptionId }: BilledAddons): Promise<ReadonlySet<Uuid>> {
    const stream = streamName('account', org, accountId(billed.customerKey, billed.currency));
    const { state } = await readState(this.store, stream, account);
    const addons = state.terms.get(subscriptionId)?.addons ?? [];
    return new Set(addons.filter((addon) => addon.billed).map((addon) => addon.addonSubscriptionId));
  }
}
