import { QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { GetInvoice } from '../get-invoice.js';
import { ShowInvoice } from '../show-invoice.js';
import { InvoicePresenter } from './invoice-presenter.js';

/** Here and not beside its query: modules that may not know how an invoice is shown ask for one that is. */
@QueryHandler(ShowInvoice)
export class ShowInvoiceHandler implements IQueryHandler<ShowInvoice> {
  constructor(
    private readonly queries: QueryBus,
    private readonly presenter: InvoicePresenter,
  ) {}

  async execute({ org, invoiceId }: ShowInvoice): Promise<object> {
    return this.presenter.presentOne(org, await this.queries.execute(new GetInvoice(org, invoiceId)));
  }
}
