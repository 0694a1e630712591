import type { Uuid } from '../kernel/ids.js';
import type { CommandContext } from '../platform/eventsourcing/command-runner/command-context.js';
import type { Subscription } from './domain/subscription-state.js';

/** Invoices as GET /api/customers/{id}/draft_invoice/ shows them. */
export interface PreviewedInvoices {
  readonly invoices: readonly object[];
}

/**
 * Computes the invoice that follows a command, on terms as the command would leave them. Nothing is written.
 * Subscriptions declare this port, billing implements it.
 */
export abstract class InvoicePreview {
  /**
   * Refuses a command before anything is appended, when its invoice cannot be computed.
   * @param changed terms of one account, also those that the command would begin
   * @throws DomainError `amount_out_of_range`
   */
  abstract dryRun(context: CommandContext, changed: readonly Subscription[]): Promise<void>;

  /**
   * Answers `?preview=true` of a command.
   * @param billed `next`: the invoice of the account's next boundary, for changes that are not invoiced at once
   * @throws DomainError `amount_out_of_range`
   */
  abstract preview(
    context: CommandContext,
    changed: readonly Subscription[],
    billed: 'now' | 'next',
  ): Promise<PreviewedInvoices>;
}

/**
 * Tells what the account's last run found about a term, for an answer that cannot wait for the read models.
 * Subscriptions declare this port, billing implements it.
 */
export abstract class TermBilling {
  /** Whether the term owes nothing more. @param revision of the term's stream that the run must have seen */
  abstract isFullyBilled(org: Uuid, term: Subscription, revision: bigint): Promise<boolean>;

  /** Returns the add-ons of the term that ended on their own and owe nothing more. */
  abstract billedAddons(org: Uuid, term: Subscription): Promise<ReadonlySet<Uuid>>;
}

/** Returns the account that a term is billed on. */
export const accountOf = ({ term: { customerKey, basis } }: Subscription) => ({
  customerKey,
  currency: basis.currency,
});
