import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { CustomerReader } from '../../customer/customer-directory.js';
import { invalidFields } from '../../kernel/errors.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { readCursor, sliceOf, type Slice } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import type { PaymentStatus } from '../read-models/invoices.js';
import { loadInvoiceLines, type InvoiceTables, type InvoiceView } from './invoice-view.js';

/** Drafts and voided invoices are never listed (docs/contract.md#list-invoices). */
export const LISTED_STATUSES = ['unpaid', 'paid'] as const satisfies readonly PaymentStatus[];

export interface InvoiceSelection {
  readonly customerId: string | undefined;
  /** Empty: all that are listed. */
  readonly statuses: readonly (typeof LISTED_STATUSES)[number][];
  readonly currency: string | undefined;
  readonly invoiceNumber: string | undefined;
  /** Both ends are part of the span of issue dates. */
  readonly issued: { readonly after: Instant | undefined; readonly before: Instant | undefined };
  readonly limit: number;
  readonly cursor: string | undefined;
}

export class ListInvoices extends Query<Slice<InvoiceView>> {
  constructor(
    readonly org: Uuid,
    readonly selection: InvoiceSelection,
  ) {
    super();
  }
}

@QueryHandler(ListInvoices)
export class ListInvoicesHandler implements IQueryHandler<ListInvoices> {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomerReader,
  ) {}

  /** The newest issue date first, then the highest number. @throws DomainError `does_not_exist` for an unknown customer */
  async execute({ org, selection }: ListInvoices): Promise<Slice<InvoiceView>> {
    const { customerId, statuses, currency, invoiceNumber, issued, limit, cursor } = selection;
    const customerKey = customerId === undefined ? undefined : await this.known(org, customerId);
    let wanted = this.database.db
      .withTables<InvoiceTables>()
      .selectFrom('invoices')
      .selectAll()
      .where('org', '=', org)
      .where('invoice_number', 'is not', null)
      .where('payment_status', 'in', statuses.length > 0 ? statuses : LISTED_STATUSES)
      .orderBy('issued_at', 'desc')
      .orderBy(sql`length(invoice_number)`, 'desc')
      .orderBy('invoice_number', 'desc')
      .limit(limit + 1);
    if (customerKey !== undefined) wanted = wanted.where('customer_key', '=', customerKey);
    if (currency !== undefined) wanted = wanted.where('currency', '=', currency);
    if (invoiceNumber !== undefined) wanted = wanted.where('invoice_number', '=', invoiceNumber);
    if (issued.after !== undefined) wanted = wanted.where('issued_at', '>=', issued.after);
    if (issued.before !== undefined) wanted = wanted.where('issued_at', '<=', issued.before);
    if (cursor !== undefined) {
      const { at, id } = readCursor(cursor);
      // The cursor names the last invoice of the page before, whose number is looked up by its key.
      wanted = wanted.where(sql<boolean>`issued_at <= ${at} and (issued_at < ${at}
        or (length(invoice_number), invoice_number) < (
          select length(i.invoice_number), i.invoice_number from invoices i
          where i.org = ${org} and i.invoice_id = ${id}))`);
    }
    const { rows, nextCursor } = sliceOf(await wanted.execute(), limit, (row) => ({
      at: row.issued_at,
      id: row.invoice_id,
    }));
    return { rows: await loadInvoiceLines(this.database, org, rows), nextCursor };
  }

  private async known(org: Uuid, customerId: string): Promise<Uuid> {
    const customerKey = customerKeyOf(org, customerId);
    if (await this.customers.load(org, customerKey)) return customerKey;
    throw invalidFields({
      code: 'does_not_exist',
      detail: 'There is no customer with this id.',
      attr: 'customer_id',
    });
  }
}
