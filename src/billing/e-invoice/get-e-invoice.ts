import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import { issuedInvoice } from '../invoices/issued-invoice.js';
import { IssuedInvoiceReader } from '../invoices/issued-invoice-reader.js';
import { Wording } from '../pdf/words.js';

interface EInvoice {
  readonly number: string;
  readonly xml: string;
}

export class GetEInvoice extends Query<EInvoice> {
  constructor(
    readonly org: Uuid,
    /** Id or number of the invoice, as the caller wrote it. */
    readonly name: string,
  ) {
    super();
  }
}

/** Writes an issued invoice as an e-invoice, with seller and customer as they were at the revisions it names. */
@QueryHandler(GetEInvoice)
export class GetEInvoiceHandler implements IQueryHandler<GetEInvoice> {
  constructor(
    private readonly database: Database,
    private readonly issued: IssuedInvoiceReader,
  ) {}

  /** @throws DomainError `not_found`, `invalid_state` */
  async execute({ org, name }: GetEInvoice): Promise<EInvoice> {
    const row = await issuedInvoice(this.database, org, name);
    const number = row.invoice_number!;
    if (row.payment_status === 'voided') {
      throw new DomainError(
        'invalid_state',
        `Invoice ${number} is voided and no longer owed: it has no e-invoice. Its PDF says VOID.`,
      );
    }
    const { invoice, seller } = await this.issued.invoiceOf(org, row);
    const erasedName = new Wording(seller.invoiceLocale ?? null, invoice.currency).word('erased');
    const buyer = { ...(await this.issued.customerOf(org, invoice)), erasedName };
    // Only who makes an e-invoice loads the library.
    const { crossIndustryInvoice } = await import('./cross-industry-invoice.js');
    return { number, xml: crossIndustryInvoice({ org, number, invoice, seller, buyer }) };
  }
}
