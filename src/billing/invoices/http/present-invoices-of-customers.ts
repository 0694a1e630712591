import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import {
  type InvoicesOfCustomer,
  PresentInvoicesOfCustomers,
} from '../../../customer/customer-record-ports.js';
import { groupBy } from '../../../kernel/iteration.js';
import type { Uuid } from '../../../kernel/ids.js';
import { InvoicesOfCustomers } from '../invoices-of-customers.js';
import { toInvoiceSummary } from './invoice-resource.js';

@QueryHandler(PresentInvoicesOfCustomers)
export class PresentInvoicesOfCustomersHandler implements IQueryHandler<PresentInvoicesOfCustomers> {
  constructor(private readonly invoices: InvoicesOfCustomers) {}

  async execute({
    org,
    customerKeys,
  }: PresentInvoicesOfCustomers): Promise<ReadonlyMap<Uuid, InvoicesOfCustomer>> {
    const [newest, due] = await Promise.all([
      this.invoices.newest(org, customerKeys),
      this.invoices.due(org, customerKeys),
    ]);
    const rowsOf = groupBy(newest, (row) => row.customer_key);
    const dueOf = groupBy(due, (row) => row.customer_key);
    return new Map(
      customerKeys.map((key) => [
        key,
        {
          invoices: (rowsOf.get(key) ?? []).map(toInvoiceSummary),
          amountDue: new Map((dueOf.get(key) ?? []).map((row) => [row.currency, Number(row.due)])),
        },
      ]),
    );
  }
}
