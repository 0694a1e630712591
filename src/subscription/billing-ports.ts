import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import type { ReadScope, CommandContext } from '../platform/eventsourcing/command-runner/command-context.js';
import type { SubscriptionEvent } from './domain/events.js';
import type { TermState } from './domain/term-state.js';

/** Invoices as GET /api/customers/{id}/draft_invoice/ shows them. */
export interface PreviewedInvoices {
  readonly invoices: readonly object[];
}

/** Event that a command will append; the policies handle it. */
export interface DecidingEvent {
  readonly id: Uuid;
  readonly type: SubscriptionEvent['type'];
  readonly revision: bigint;
}

/**
 * Refuses a command before anything is appended, when its invoice cannot be computed. Nothing is written. Subscriptions
 * declare this port, billing implements it.
 */
export abstract class InvoiceDryRun {
  /**
   * Computes the invoice that follows a command, on terms as the command would leave them. The invoice that follows the
   * deciding event is the one computed here, as long as nobody changes the account in between.
   * @param changed terms of one account: the one that the command changes, then those that it would begin
   * @param decided left out where the event of another stream decides
   * @throws DomainError `amount_out_of_range`
   */
  abstract dryRun(
    context: CommandContext,
    changed: readonly TermState[],
    decided?: DecidingEvent,
  ): Promise<void>;
}

/** Answers `?preview=true` of a command. Subscriptions declare this port, billing implements it. */
export abstract class InvoicePreview {
  /**
   * Computes the invoices that a command would bring, on terms as the command would leave them. Nothing is written.
   * @param billed `next`: the invoice of the account's next boundary, for changes that are not invoiced at once
   * @throws DomainError `amount_out_of_range`
   */
  abstract preview(
    context: CommandContext,
    changed: readonly TermState[],
    billed: 'now' | 'next',
  ): Promise<PreviewedInvoices>;
}

/**
 * Tells what the account's last run found about a term, for an answer that cannot wait for the read models.
 * Subscriptions declare this port, billing implements it.
 */
export abstract class TermBilling {
  /** Tells whether nothing more of the term falls due. @param revision of the term's stream that the run must have seen */
  abstract isFullyBilled(scope: ReadScope, term: TermState, revision: bigint): Promise<boolean>;

  /** Returns when the account of the term changed last; undefined before its first event. */
  abstract lastChangedAt(scope: ReadScope, term: TermState): Promise<Instant | undefined>;

  /** Returns the add-ons of the term that ended on their own and owe nothing more. */
  abstract billedAddons(scope: ReadScope, term: TermState): Promise<ReadonlySet<Uuid>>;
}
