import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import { loadInvoiceLines, type InvoiceView } from './invoice-view.js';
import { issuedInvoice } from '../accounts/issued-invoice.js';

export class GetInvoice extends Query<InvoiceView> {
  constructor(
    readonly org: Uuid,
    /** Id or number of the invoice, as the caller wrote it. */
    readonly name: string,
  ) {
    super();
  }
}

@QueryHandler(GetInvoice)
export class GetInvoiceHandler implements IQueryHandler<GetInvoice> {
  constructor(private readonly database: Database) {}

  /** @throws DomainError `not_found` */
  async execute({ org, name }: GetInvoice): Promise<InvoiceView> {
    const invoice = await issuedInvoice(this.database, org, name);
    return (await loadInvoiceLines(this.database, org, [invoice]))[0]!;
  }
}

/**
 * Returns an issued invoice as GET /api/invoices/{id}/ answers it, without a link to its PDF.
 * @throws DomainError `not_found`
 */
export class GetInvoiceResource extends Query<object> {
  constructor(
    readonly org: Uuid,
    readonly invoiceId: Uuid,
  ) {
    super();
  }
}
