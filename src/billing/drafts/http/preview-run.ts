import { QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DryRunInvoice } from '../../runs/dry-run-invoice.js';
import { draftView } from '../draft-view.js';
import { NextInvoice } from '../next-invoice.js';
import { PreviewRun, type PreviewedInvoices } from '../preview-run.js';
import { InvoicePresenter } from '../../invoices/http/invoice-presenter.js';

/** Here and not beside its query: modules that may not know how an invoice is shown ask for one that is. */
@QueryHandler(PreviewRun)
export class PreviewRunHandler implements IQueryHandler<PreviewRun> {
  constructor(
    private readonly queries: QueryBus,
    private readonly next: NextInvoice,
    private readonly presenter: InvoicePresenter,
  ) {}

  /** @throws DomainError what recording the run would be refused with */
  async execute({ context, account, changed, billed }: PreviewRun): Promise<PreviewedInvoices> {
    const alsoTerms = changed.map(({ term }) => term.subscriptionId);
    // Within the share of the organization; previews are of commands, which nobody breaks off.
    const left = new AbortController().signal;
    const run =
      billed === 'now'
        ? await this.queries.execute(new DryRunInvoice(context, account, changed, left))
        : await this.next.compute(context.org, account, { alsoTerms, changed, withNextPeriod: true, left });
    const view = draftView(context.org, run);
    return { invoices: view ? await this.presenter.present(context.org, [view]) : [] };
  }
}
