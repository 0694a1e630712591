import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/stream.js';
import { readState } from '../../platform/eventsourcing/command-runner/read-stream.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import type { BillableAccount } from './billing-run-loader.js';
import { account, accountId } from '../accounts/domain/account.js';

/** Whether the last run found that a term owes nothing more: for an answer that cannot wait for the read models. */
export class IsTermBilled extends Query<boolean> {
  constructor(
    readonly org: Uuid,
    readonly account: BillableAccount,
    readonly subscriptionId: Uuid,
    /** Of the term, as it stands. */
    readonly revision: bigint,
  ) {
    super();
  }
}

@QueryHandler(IsTermBilled)
export class IsTermBilledHandler implements IQueryHandler<IsTermBilled> {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  async execute({ org, account: billed, subscriptionId, revision }: IsTermBilled): Promise<boolean> {
    const stream = streamName('account', org, accountId(billed.customerKey, billed.currency));
    const { state } = await readState(this.store, stream, account);
    const standing = state.terms.get(subscriptionId);
    return standing !== undefined && BigInt(standing.revision) >= revision && standing.nextDueAt === null;
  }
}
