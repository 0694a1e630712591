import type { AccountEvent } from '../../src/billing/accounts/domain/events.js';
import {
  accountDecider,
  accountWithFullHistory,
  type AccountCommand,
} from '../../src/billing/decider/domain/account.js';
import {
  invoiceFold,
  invoiceToVoid,
  foldKeepingSettledTerms,
  settledTermsOf,
} from '../../src/billing/voids/domain/invoice-to-void.js';
import { SnapshotTooShallow, type IssuedCommand } from '../../src/kernel/decider.js';
import type { Uuid } from '../../src/kernel/ids.js';

/** The events of an account in memory. */
export class AccountLedger {
  /** All events in order, snapshots included. */
  readonly log: AccountEvent[] = [];
  /** State as of the latest snapshot and the events after it. */
  state = accountDecider.initial();
  /** State with the full history. */
  fullState = accountWithFullHistory.initial();

  /** Records events. */
  happened(...events: readonly AccountEvent[]): void {
    this.log.push(...events);
    this.state = events.reduce(accountDecider.evolve, this.state);
    this.fullState = events.reduce(accountWithFullHistory.evolve, this.fullState);
  }

  /** Decides a command, on the full history when the snapshot is too shallow. */
  decide(command: IssuedCommand<AccountCommand>): readonly AccountEvent[] {
    try {
      return accountDecider.decide(command, this.state);
    } catch (error) {
      if (!(error instanceof SnapshotTooShallow)) throw error;
      return accountDecider.decide(command, this.fullState);
    }
  }

  /** Reads what the command VoidInvoice says of an invoice. */
  invoiceToVoid(invoiceId: Uuid) {
    const record = invoiceFold(invoiceId, accountDecider.evolve);
    const found = this.log.reduce(record.evolve, record.initial());
    const rules = foldKeepingSettledTerms(accountWithFullHistory.evolve);
    return invoiceToVoid(found, settledTermsOf(found), this.log.reduce(rules.evolve, rules.initial()));
  }
}
