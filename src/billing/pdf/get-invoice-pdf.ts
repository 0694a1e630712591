import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CustomerReader } from '../../customer/customer-reader.js';
import type { PersonalData } from '../../customer/domain/personal-data.js';
import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/stream.js';
import { OrganizationReader } from '../../organization/organization-reader.js';
import { Database } from '../../platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { Vault } from '../../platform/privacy/vault.js';
import { accountId } from '../accounts/domain/account.js';
import type { ComputedInvoice } from '../accounts/domain/event-data.js';
import { invoiceDocument, type DocumentSource } from './invoice-document.js';
import { PdfStore, type PdfName } from './pdf-store.js';
import type { InvoiceRow } from '../read-models/invoices.js';
import { issuedInvoice } from '../invoices/issued-invoice.js';

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
 * The document of an issued invoice, made at the first request from the event as stored, with seller and customer as
 * they were at the revisions the invoice names; from then on the bytes that were kept.
 */
@QueryHandler(GetInvoicePdf)
export class GetInvoicePdfHandler implements IQueryHandler<GetInvoicePdf> {
  constructor(
    private readonly database: Database,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly organizations: OrganizationReader,
    private readonly customers: CustomerReader,
    private readonly vault: Vault,
    private readonly kept: PdfStore,
  ) {}

  /** @throws DomainError `not_found` */
  async execute({ org, invoiceId }: GetInvoicePdf): Promise<InvoicePdf> {
    const row = await issuedInvoice(this.database, org, invoiceId);
    const number = row.invoice_number!;
    const customerKey = row.customer_key;
    const isVoided = row.payment_status === 'voided';
    const name: PdfName = { org, invoiceId: row.invoice_id, customerKey, isVoided };
    const known = await this.kept.find(name);
    if (known) return { number, bytes: known };

    const source = await this.sourceOf(org, row);
    const customer = await this.personOf(org, customerKey, source.customerRevision);
    // Fonts and their shaping take as long to load as half of the service: only who makes a document waits for them.
    const { renderInvoice } = await import('./render-invoice.js');
    const document = (person: PersonalData | undefined) =>
      renderInvoice(invoiceDocument({ ...source, number, isVoided, customer: person }));
    if (customer) return { number, bytes: await this.kept.keep(name, await document(customer)) };
    const erased = await this.kept.findErased(name);
    return { number, bytes: erased ?? (await this.kept.keepErased(name, await document(undefined))) };
  }

  private async sourceOf(
    org: Uuid,
    { customer_key: customerKey, currency, computed_revision: revision }: InvoiceRow,
  ): Promise<Pick<DocumentSource, 'invoice' | 'seller'> & { readonly customerRevision: bigint }> {
    const stream = streamName('account', org, accountId(customerKey, currency));
    const events = this.store.readStream(stream, { from: BigInt(revision), limit: 1 });
    for await (const { type, data } of events) {
      if (type !== 'InvoiceComputed') break;
      const invoice = data as ComputedInvoice;
      const organization = await this.organizations.load(org, BigInt(invoice.inputs.organizationRevision));
      const customerRevision = BigInt(invoice.inputs.customerRevision);
      return { invoice, seller: organization!.settings, customerRevision };
    }
    throw new Error(`revision ${revision} of ${stream} is not the invoice that the read model says`);
  }

  /** Undefined once the customer was erased. */
  private async personOf(org: Uuid, customerKey: Uuid, revision: bigint): Promise<PersonalData | undefined> {
    const customer = await this.customers.load(org, customerKey, revision);
    return customer && this.vault.unseal<PersonalData>(org, customerKey, customer.state.sealed);
  }
}
