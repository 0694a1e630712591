import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Uuid } from '../../kernel/ids.js';
import { EInvoiceWriter } from './e-invoice-writer.js';
import { DocumentWriter } from '../pdf/document-writer.js';
import type { InvoicePdf } from '../pdf/get-invoice-pdf.js';
import { facturX } from './factur-x.js';

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

@QueryHandler(GetEInvoice)
export class GetEInvoiceHandler implements IQueryHandler<GetEInvoice> {
  constructor(private readonly writer: EInvoiceWriter) {}

  /** @throws DomainError `not_found`, `invalid_state` */
  execute({ org, name }: GetEInvoice): Promise<EInvoice> {
    return this.writer.write(org, name);
  }
}

export class GetEInvoicePdf extends Query<InvoicePdf> {
  constructor(
    readonly org: Uuid,
    /** Id or number of the invoice, as the caller wrote it. */
    readonly name: string,
  ) {
    super();
  }
}

/** Writes the document of an issued invoice with its e-invoice inside. It is made at each request, as the XML is. */
@QueryHandler(GetEInvoicePdf)
export class GetEInvoicePdfHandler implements IQueryHandler<GetEInvoicePdf> {
  constructor(
    private readonly eInvoices: EInvoiceWriter,
    private readonly documents: DocumentWriter,
  ) {}

  /** @throws DomainError `not_found`, `invalid_state` */
  async execute({ org, name }: GetEInvoicePdf): Promise<InvoicePdf> {
    const { number, xml, invoice, seller, person } = await this.eInvoices.write(org, name);
    const document = { invoice, number, isVoided: false, seller, customer: person };
    return { number, bytes: await this.documents.write(org, document, facturX(xml)) };
  }
}
