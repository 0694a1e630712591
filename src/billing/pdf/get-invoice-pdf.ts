import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { PersonalData } from '../../customer/domain/personal-data.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import { DocumentRecords } from './document-records.js';
import { DocumentWriter } from './document-writer.js';
import type { DocumentKind } from './domain/kept-documents.js';
import { erasedKindOf, kindOf, PdfStore, type PdfName } from './pdf-store.js';
import { issuedInvoice } from '../accounts/issued-invoice.js';
import type { InvoiceRow } from '../read-models/invoices.js';
import { IssuedInvoiceReader } from '../invoices/issued-invoice-reader.js';

export interface InvoicePdf {
  readonly number: string;
  readonly bytes: Buffer;
}

export class GetInvoicePdf extends Query<InvoicePdf> {
  constructor(
    readonly org: Uuid,
    readonly invoiceId: Uuid,
  ) {
    super();
  }
}

/**
 * Returns the document of an issued invoice. The first request makes it from the stored event, with seller and customer
 * at the revisions that the invoice names, and records its hash. Later requests get the stored bytes.
 */
@QueryHandler(GetInvoicePdf)
export class GetInvoicePdfHandler implements IQueryHandler<GetInvoicePdf> {
  constructor(
    private readonly database: Database,
    private readonly issued: IssuedInvoiceReader,
    private readonly documents: DocumentWriter,
    private readonly kept: PdfStore,
    private readonly records: DocumentRecords,
  ) {}

  /** @throws DomainError `not_found` */
  async execute({ org, invoiceId }: GetInvoicePdf): Promise<InvoicePdf> {
    const row = await issuedInvoice(this.database, org, invoiceId);
    const number = row.invoice_number!;
    const customerKey = row.customer_key;
    const isVoided = row.payment_status === 'voided';
    const name: PdfName = { org, invoiceId: row.invoice_id, number, customerKey, isVoided };
    const { kind, bytes } = await this.documentOf(name, row);
    await this.records.record(name, kind, bytes);
    return { number, bytes };
  }

  private async documentOf(
    name: PdfName,
    row: InvoiceRow,
  ): Promise<{ readonly kind: DocumentKind; readonly bytes: Buffer }> {
    const { org, number, isVoided } = name;
    const known = await this.kept.find(name);
    if (known) return { kind: kindOf(name), bytes: known };

    const { invoice, seller } = await this.issued.invoiceOf(org, row);
    const { person: customer } = await this.issued.customerOf(org, invoice);
    const document = (person: PersonalData | undefined) =>
      this.documents.write(org, { invoice, number, isVoided, seller, customer: person });
    const kept = customer && (await this.kept.keep(name, await document(customer)));
    if (kept) return { kind: kindOf(name), bytes: kept };
    const erased = await this.kept.findErased(name);
    const bytes = erased ?? (await this.kept.keepErased(name, await document(undefined)));
    return { kind: erasedKindOf(name), bytes };
  }
}
