import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/open-database.js';
import type { CommandContext } from '../../../platform/eventsourcing/command-runner/command-context.js';
import type { InvoicePreview, PreviewedInvoices } from '../../../subscription/billing-ports.js';
import { accountOf, type TermState } from '../../../subscription/domain/term-state.js';
import { InvoicePresenter } from '../../invoices/http/invoice-presenter.js';
import { BillingDryRun } from '../../runs/compute-run.js';
import { draftView, NextInvoice } from '../next-invoice.js';
import { waitForNumbers } from '../wait-for-numbers.js';

/**
 * Computes the invoices of commands for the subscription module, by the function that bills
 * (docs/architecture.md#billing-runs).
 */
@Injectable()
export class CommandInvoicePreview implements InvoicePreview {
  constructor(
    private readonly invoices: BillingDryRun,
    private readonly next: NextInvoice,
    private readonly presenter: InvoicePresenter,
    private readonly database: Database,
  ) {}

  async preview(
    context: CommandContext,
    changed: readonly TermState[],
    billed: 'now' | 'next',
  ): Promise<PreviewedInvoices> {
    // With a signal, usage is counted within the organization's share.
    const { disconnected: signal = new AbortController().signal } = context;
    signal.throwIfAborted();
    const compute = () =>
      billed === 'now'
        ? this.invoices.compute(context, changed, signal)
        : this.nextInvoice(context, changed, signal);
    const run = await waitForNumbers(compute, context.session);
    const view = await draftView(this.database, context.org, run);
    return { invoices: view ? await this.presenter.present(context.org, [view]) : [] };
  }

  private nextInvoice({ org }: CommandContext, changed: readonly TermState[], signal: AbortSignal) {
    const newTerms = changed.map(({ term }) => term.subscriptionId);
    return this.next.compute(org, accountOf(changed[0]!), {
      newTerms,
      changed,
      withNextPeriod: true,
      signal,
    });
  }
}
