import { Injectable } from '@nestjs/common';
import { CustomerDirectory } from '../../customer/customer-directory.js';
import type { Uuid } from '../../kernel/ids.js';
import { OrganizationReader } from '../../organization/organization-reader.js';
import type { InvoiceView } from '../queries/invoice-view.js';
import { toInvoiceResource, toSeller, type InvoiceResource } from './invoice-resource.js';

/** Invoices with their customers and seller, looked up once for the whole answer. */
@Injectable()
export class InvoicePresenter {
  constructor(
    private readonly customers: CustomerDirectory,
    private readonly organizations: OrganizationReader,
  ) {}

  async present(org: Uuid, views: readonly InvoiceView[]): Promise<InvoiceResource[]> {
    const [customers, organization] = await Promise.all([
      this.customers.withAddress(
        org,
        views.map(({ invoice }) => invoice.customer_key),
      ),
      this.organizations.load(org),
    ]);
    const seller = toSeller(organization!.settings);
    return views.map((view) => toInvoiceResource(view, customers.get(view.invoice.customer_key)!, seller));
  }

  async presentOne(org: Uuid, view: InvoiceView): Promise<InvoiceResource> {
    return (await this.present(org, [view]))[0]!;
  }
}
