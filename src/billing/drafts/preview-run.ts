import { Query } from '@nestjs/cqrs';
import type { CommandContext } from '../../platform/eventsourcing/command-runner/command-context.js';
import type { Subscription } from '../../subscription/domain/subscription-state.js';
import type { BillableAccount } from '../runs/billing-run-loader.js';

/** Invoices as GET /api/customers/{id}/draft_invoice/ shows them. */
export interface PreviewedInvoices {
  readonly invoices: readonly object[];
}

/**
 * `?preview=true` of a command: the invoice that it would bring at once, computed on terms as it would leave them, and
 * nothing stored. A preview is the function that bills (docs/architecture.md#billing-runs).
 */
export class PreviewRun extends Query<PreviewedInvoices> {
  constructor(
    readonly context: CommandContext,
    readonly account: BillableAccount,
    readonly changed: readonly Subscription[],
    /** `next`: the invoice of the account's next boundary, for what is not invoiced at once. */
    readonly billed: 'now' | 'next' = 'now',
  ) {
    super();
  }
}
