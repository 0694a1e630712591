import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql, type SelectQueryBuilder } from 'kysely';
import { CustomerReader } from '../../customer/customer-directory.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { readCursor, readPage, sliceOfPage, type Slice } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import {
  byColumn,
  byTimeOrNever,
  ordersBy,
  pageInOrder,
  type OrderKey,
} from '../../platform/database/ordering.js';
import type { InvoiceRow, PaymentStatus } from '../read-models/invoices.js';
import { loadInvoiceLines, type InvoiceTables, type InvoiceView } from './invoice-view.js';

/**
 * Statuses that a list has by default; voided invoices are listed on request, drafts never
 * (docs/contract.md#list-invoices).
 */
export const LISTED_STATUSES = ['unpaid', 'paid'] as const satisfies readonly PaymentStatus[];

const CURRENCY = byColumn('currency', 'text');

/** A listed invoice has a number. */
const NUMBER: OrderKey<InvoiceRow> = {
  sql: sql.ref('invoice_number'),
  type: 'text',
  valueOf: ({ invoice_number: number }) => number ?? '',
};

const ID: OrderKey<InvoiceRow> = byColumn('invoice_id', 'uuid');

/** Amounts are ordered within their currency. Each order has an index. */
const ORDERS = ordersBy(ID, {
  invoice_number: [NUMBER],
  issue_date: [byColumn('issued_at', 'timestamptz')],
  due_date: [byTimeOrNever('due_at')],
  amount: [CURRENCY, byColumn('amount', 'numeric')],
  cost_due: [CURRENCY, byColumn('cost_due', 'numeric')],
});

/** Bytes of the lines: a line has at least about 1,000. */
const BYTES = sql<number>`(
  select coalesce(sum(1000 + coalesce(octet_length(l.subscription_filters::text), 0)), 0)
  from invoice_lines l where l.org = page.org and l.invoice_id = page.invoice_id)`;

export const INVOICE_ORDERINGS = ORDERS.orderings;
type InvoiceOrdering = (typeof INVOICE_ORDERINGS)[number];

export interface InvoiceSelection {
  readonly customerId: string | undefined;
  /** Empty: all that are listed. */
  readonly statuses: readonly (typeof LISTED_STATUSES)[number][];
  /** Lists the voided invoices instead. */
  readonly voided: boolean;
  /** Lists the voided invoices beside those that are paid or unpaid. */
  readonly includeVoided: boolean;
  /** Keeps unpaid invoices whose due date is past. */
  readonly overdue: boolean;
  readonly currency: string | undefined;
  readonly invoiceNumber: string | undefined;
  /** Both ends are part of the span of issue dates. */
  readonly issued: { readonly after: Instant | undefined; readonly before: Instant | undefined };
  /** Undefined for the newest first. */
  readonly ordering: InvoiceOrdering | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

const listedStatuses = ({
  voided,
  includeVoided,
}: Pick<InvoiceSelection, 'voided' | 'includeVoided'>): readonly PaymentStatus[] => {
  if (voided) return ['voided'];
  return includeVoided ? [...LISTED_STATUSES, 'voided'] : LISTED_STATUSES;
};

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
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Without an ordering the newest issue date is first, then the highest number. @throws DomainError `does_not_exist` for an unknown customer */
  async execute({ org, selection }: ListInvoices): Promise<Slice<InvoiceView>> {
    const { customerId, statuses, currency, invoiceNumber, issued, ordering, limit, cursor } = selection;
    const customerKey = customerId === undefined ? undefined : await this.customers.keyOf(org, customerId);
    let filtered = this.database.db
      .withTables<InvoiceTables>()
      .selectFrom('invoices')
      .selectAll()
      .where('org', '=', org)
      .where('invoice_number', 'is not', null)
      .where('payment_status', 'in', listedStatuses(selection));
    if (statuses.length > 0) filtered = filtered.where('payment_status', 'in', statuses);
    if (selection.overdue)
      filtered = filtered
        .where('payment_status', '=', 'unpaid')
        .where('due_at', '<=', await this.clock.now(org));
    if (customerKey !== undefined) filtered = filtered.where('customer_key', '=', customerKey);
    if (currency !== undefined) filtered = filtered.where('currency', '=', currency);
    if (invoiceNumber !== undefined) filtered = filtered.where('invoice_number', '=', invoiceNumber);
    if (issued.after !== undefined) filtered = filtered.where('issued_at', '>=', issued.after);
    if (issued.before !== undefined) filtered = filtered.where('issued_at', '<=', issued.before);
    const size = { db: this.database.db, bytes: BYTES };
    const { rows, nextCursor } =
      ordering === undefined
        ? sliceOfPage(
            await readPage(newestFirst(org, filtered, cursor).limit(limit + 1), limit, size),
            (row) => ({ at: row.issued_at, id: row.invoice_id }),
          )
        : await pageInOrder(filtered, ORDERS.named(ordering), { limit, cursor }, size);
    return { rows: await loadInvoiceLines(this.database, org, rows), nextCursor };
  }
}

/** Query of the rows, before its order. */
type InvoiceQuery = SelectQueryBuilder<InvoiceTables, 'invoices', InvoiceRow>;

function newestFirst(org: Uuid, filtered: InvoiceQuery, cursor: string | undefined): InvoiceQuery {
  const ordered = filtered
    .orderBy('issued_at', 'desc')
    .orderBy(sql`length(invoice_number)`, 'desc')
    .orderBy('invoice_number', 'desc');
  if (cursor === undefined) return ordered;
  const { at, id } = readCursor(cursor);
  // The cursor names the last invoice of the page before, whose number is looked up by its key.
  return ordered.where(sql<boolean>`issued_at <= ${at} and (issued_at < ${at}
    or (length(invoice_number), invoice_number) < (
      select length(i.invoice_number), i.invoice_number from invoices i
      where i.org = ${org} and i.invoice_id = ${id}))`);
}
