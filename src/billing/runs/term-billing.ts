import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { streamName } from '../../kernel/event.js';
import {
  orgOfScope,
  sessionOf,
  type ReadScope,
} from '../../platform/eventsourcing/command-runner/command-context.js';
import { readState } from '../../platform/eventsourcing/command-runner/stream-state-cache.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import type { TermBilling } from '../../subscription/billing-ports.js';
import { accountOf, type TermState } from '../../subscription/domain/term-state.js';
import { accountDecider, accountId } from '../decider/domain/account.js';

/** Answers questions about terms from the stream of their account. */
@Injectable()
export class AccountTermBilling implements TermBilling {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  async isFullyBilled(scope: ReadScope, state: TermState, revision: bigint): Promise<boolean> {
    const { terms, settled } = (await this.account(scope, state)).state;
    if (settled.has(state.term.subscriptionId)) return true;
    const status = terms.get(state.term.subscriptionId);
    // The last event of a term that has reached its end closes it, and changes nothing that it owes.
    const isClosedAtEnd = state.closedAt !== null && !state.cancelled && !state.switched;
    const seen = isClosedAtEnd ? revision - 1n : revision;
    return status !== undefined && BigInt(status.revision) >= seen && status.nextDueAt === null;
  }

  async lastChangedAt(scope: ReadScope, state: TermState): Promise<Instant | undefined> {
    return (await this.account(scope, state)).recordedAt;
  }

  async billedAddons(scope: ReadScope, state: TermState): Promise<ReadonlySet<Uuid>> {
    const { terms } = (await this.account(scope, state)).state;
    const addons = terms.get(state.term.subscriptionId)?.addons ?? [];
    return new Set(addons.filter((addon) => addon.billed).map((addon) => addon.addonSubscriptionId));
  }

  private account(scope: ReadScope, state: TermState) {
    const { customerKey, currency } = accountOf(state);
    const stream = streamName('account', orgOfScope(scope), accountId(customerKey, currency));
    return readState(this.store, stream, accountDecider, undefined, sessionOf(scope));
  }
}
