import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { MAX_EMBEDDED } from '../../customer/customer-record-ports.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import type { InvoiceRow } from '../read-models/invoices.js';

export interface AmountDue {
  readonly customer_key: Uuid;
  readonly currency: string;
  readonly due: string;
}

/** Reads invoices of many customers, each with one statement for all. */
@Injectable()
export class InvoicesOfCustomers {
  constructor(private readonly database: Database) {}

  /** Returns the newest issued invoices of each customer, the newest first. */
  async newest(org: Uuid, customerKeys: readonly Uuid[]): Promise<readonly InvoiceRow[]> {
    const { rows } = await sql<InvoiceRow>`
      select newest.* from unnest(${customerKeys}::uuid[]) as asked (customer_key)
      cross join lateral (
        select * from invoices
         where org = ${org} and customer_key = asked.customer_key
           and invoice_number is not null and payment_status in ('unpaid', 'paid')
         order by issued_at desc, length(invoice_number) desc, invoice_number desc
         limit ${MAX_EMBEDDED}) newest
      order by newest.issued_at desc, length(newest.invoice_number) desc, newest.invoice_number desc`.execute(
      this.database.db,
    );
    return rows;
  }

  /** Sums the unpaid invoices of each customer by currency. */
  async due(org: Uuid, customerKeys: readonly Uuid[]): Promise<readonly AmountDue[]> {
    const { rows } = await sql<AmountDue>`
      select customer_key, currency, sum(cost_due) as due from invoices
       where org = ${org} and customer_key = any(${customerKeys}::uuid[])
         and invoice_number is not null and payment_status = 'unpaid'
       group by customer_key, currency order by customer_key, currency`.execute(this.database.db);
    return rows;
  }
}
