import { Injectable } from '@nestjs/common';
import type { PersonalData } from '../../customer/domain/personal-data.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Settings } from '../../organization/domain/events.js';
import { Database } from '../../platform/database/open-database.js';
import type { ComputedInvoice } from '../accounts/domain/event-data.js';
import { issuedInvoice } from '../accounts/issued-invoice.js';
import { IssuedInvoiceReader } from '../invoices/issued-invoice-reader.js';
import { Wording } from '../pdf/words.js';

interface WrittenEInvoice {
  readonly number: string;
  readonly xml: string;
  readonly invoice: ComputedInvoice;
  readonly seller: Settings;
  /** Undefined after the customer was erased. */
  readonly person: PersonalData | undefined;
}

/** Writes an issued invoice as an e-invoice, with seller and customer as they were at the revisions it names. */
@Injectable()
export class EInvoiceWriter {
  constructor(
    private readonly database: Database,
    private readonly issued: IssuedInvoiceReader,
  ) {}

  /** @param name id or number @throws DomainError `not_found`, `invalid_state` */
  async write(org: Uuid, name: string): Promise<WrittenEInvoice> {
    const row = await issuedInvoice(this.database, org, name);
    const number = row.invoice_number!;
    if (row.payment_status === 'voided') {
      throw new DomainError(
        'invalid_state',
        `Invoice ${number} is voided and no longer owed: it has no e-invoice. Use its PDF, which says VOID.`,
      );
    }
    const { invoice, seller } = await this.issued.invoiceOf(org, row);
    const erasedName = new Wording(seller.invoiceLocale ?? null, invoice.currency).word('erased');
    const customer = await this.issued.customerOf(org, invoice);
    // The library is loaded with the first e-invoice.
    const { crossIndustryInvoice } = await import('./cross-industry-invoice.js');
    const xml = crossIndustryInvoice({ org, number, invoice, seller, buyer: { ...customer, erasedName } });
    return { number, xml, invoice, seller, person: customer.person };
  }
}
