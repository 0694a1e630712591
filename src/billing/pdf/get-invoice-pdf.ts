import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { AddonCatalog } from '../../catalog/addon-catalog.js';
import { PlanCatalog } from '../../catalog/plan-catalog.js';
import type { PersonalData } from '../../customer/domain/personal-data.js';
import type { Uuid } from '../../kernel/ids.js';
import { LogoStore } from '../../organization/logos/logo-store.js';
import type { PriceContent } from '../../pricing/price-content.js';
import { Database } from '../../platform/database/open-database.js';
import type { ComputedInvoice } from '../accounts/domain/event-data.js';
import { invoiceDocument } from './invoice-document.js';
import type { Prices } from './document-rows.js';
import { PdfStore, type PdfName } from './pdf-store.js';
import { issuedInvoice } from '../invoices/issued-invoice.js';
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
 * The document of an issued invoice, made at the first request from the event as stored, with seller and customer as
 * they were at the revisions the invoice names; from then on the bytes that were kept.
 */
@QueryHandler(GetInvoicePdf)
export class GetInvoicePdfHandler implements IQueryHandler<GetInvoicePdf> {
  constructor(
    private readonly database: Database,
    private readonly issued: IssuedInvoiceReader,
    private readonly plans: PlanCatalog,
    private readonly addons: AddonCatalog,
    private readonly logos: LogoStore,
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

    const { invoice, seller } = await this.issued.invoiceOf(org, row);
    const logo = seller.logo ? await this.logos.find(org, seller.logo) : undefined;
    const prices = await this.pricesOf(org, invoice);
    const { person: customer } = await this.issued.customerOf(org, invoice);
    // Fonts and their shaping take as long to load as half of the service: only who makes a document waits for them.
    const { renderInvoice } = await import('./render-invoice.js');
    const document = (person: PersonalData | undefined) =>
      renderInvoice(invoiceDocument({ invoice, number, isVoided, seller, logo, prices, customer: person }));
    if (customer) return { number, bytes: await this.kept.keep(name, await document(customer)) };
    const erased = await this.kept.findErased(name);
    return { number, bytes: erased ?? (await this.kept.keepErased(name, await document(undefined))) };
  }

  /** Price contents of the versions that lines charge; they never change. */
  private async pricesOf(org: Uuid, { lines }: ComputedInvoice): Promise<Prices> {
    const prices = new Map<string, PriceContent>();
    for (const { addon, plan } of lines) {
      const versionId = addon?.addonVersionId ?? plan?.versionId;
      if (versionId === undefined || prices.has(versionId)) continue;
      const sold = addon
        ? await this.addons.load(org, addon.addonId)
        : await this.plans.versionOf(org, plan!.planId, versionId);
      if (sold) prices.set(versionId, sold.version.content);
    }
    return prices;
  }
}
