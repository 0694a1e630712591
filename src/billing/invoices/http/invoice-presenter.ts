import { Injectable } from '@nestjs/common';
import { CustomerDirectory } from '../../../customer/customer-directory.js';
import type { Uuid } from '../../../kernel/ids.js';
import { OrganizationReader } from '../../../organization/organization-reader.js';
import type { InvoiceView } from '../invoice-view.js';
import { PdfLinks } from './pdf-links.js';
import { toInvoiceResource, toSeller, type InvoiceResource } from './invoice-resource.js';
import { QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { GetInvoice, GetInvoiceResource } from '../get-invoice.js';

/** Presents invoices with their customers and seller, which are read once for the whole answer. */
@Injectable()
export class InvoicePresenter {
  constructor(
    private readonly customers: CustomerDirectory,
    private readonly organizations: OrganizationReader,
    private readonly links: PdfLinks,
  ) {}

  /** @param baseUrl where the caller reaches this service, for links to PDFs; without it there are none */
  async present(org: Uuid, views: readonly InvoiceView[], baseUrl?: string): Promise<InvoiceResource[]> {
    // Before the organization existed it had no settings, so there is nothing to present.
    if (views.length === 0) return [];
    const [customers, organization] = await Promise.all([
      this.customers.withAddress(
        org,
        views.map(({ invoice }) => invoice.customer_key),
      ),
      this.organizations.load(org),
    ]);
    const seller = toSeller(organization!.settings);
    return views.map((view) => {
      const customer = customers.get(view.invoice.customer_key)!;
      return toInvoiceResource(view, customer, seller, this.linkTo(org, view, baseUrl));
    });
  }

  async presentOne(org: Uuid, view: InvoiceView, baseUrl?: string): Promise<InvoiceResource> {
    return (await this.present(org, [view], baseUrl))[0]!;
  }

  /** A draft is stored nowhere and has no document. */
  private linkTo(org: Uuid, { invoice }: InvoiceView, baseUrl: string | undefined): string | null {
    if (baseUrl === undefined || invoice.invoice_number === null) return null;
    return this.links.make(baseUrl, org, invoice.invoice_id);
  }
}

/** Lets modules that do not know how an invoice is presented ask for a presented one. */
@QueryHandler(GetInvoiceResource)
export class GetInvoiceResourceHandler implements IQueryHandler<GetInvoiceResource> {
  constructor(
    private readonly queries: QueryBus,
    private readonly presenter: InvoicePresenter,
  ) {}

  async execute({ org, invoiceId }: GetInvoiceResource): Promise<object> {
    return this.presenter.presentOne(org, await this.queries.execute(new GetInvoice(org, invoiceId)));
  }
}
