import type { Uuid } from '../../kernel/ids.js';
import { money, toDecimal } from '../../kernel/money.js';
import type { Database } from '../../platform/database/open-database.js';
import type { AccountInvoice } from '../accounts/domain/account-invoices.js';
import type { InvoiceLineRow, InvoiceRow, ClosedUsagePeriodRow } from '../read-models/invoices.js';

/** The count that a usage line was rated from; both null for other lines. */
interface Counted {
  readonly counted_quantity: string | null;
  readonly absent_values: string | null;
}

export type InvoiceLineView = InvoiceLineRow & Counted;

/** An invoice as an answer shows it, its lines in order. */
export interface InvoiceView {
  readonly invoice: InvoiceRow;
  readonly lines: readonly InvoiceLineView[];
}

/** The tables that the queries of this module read. */
// A type, as kysely takes no interface here.
export type InvoiceTables = {
  invoices: InvoiceRow;
  invoice_lines: InvoiceLineRow;
  usage_closes: ClosedUsagePeriodRow;
};

/** Loads the lines of any number of invoices with one statement. */
export async function loadInvoiceLines(
  database: Database,
  org: Uuid,
  invoices: readonly InvoiceRow[],
): Promise<InvoiceView[]> {
  if (invoices.length === 0) return [];
  const rows = await database.db
    .withTables<InvoiceTables>()
    .selectFrom('invoice_lines as line')
    .leftJoin('usage_closes as close', (join) =>
      join.onRef('close.org', '=', 'line.org').onRef('close.close_id', '=', 'line.close_id'),
    )
    .selectAll('line')
    .select(['close.quantity as counted_quantity', 'close.absent_values'])
    .where('line.org', '=', org)
    .where(
      'line.invoice_id',
      'in',
      invoices.map(({ invoice_id: id }) => id),
    )
    .orderBy('line.invoice_id')
    .orderBy('line.line_no')
    .execute();
  const lines = new Map<Uuid, InvoiceLineView[]>(invoices.map(({ invoice_id: id }) => [id, []]));
  for (const row of rows) lines.get(row.invoice_id)!.push(row);
  return invoices.map((invoice) => ({ invoice, lines: lines.get(invoice.invoice_id)! }));
}

/**
 * Makes the view of an invoice that is not stored, with the count of each usage line. A line that is billed again after a
 * void has the count of an earlier run, which the table has.
 * @param closedPeriods the counts of the invoice's own run
 */
export async function viewOf(
  database: Database,
  invoice: InvoiceRow,
  lines: readonly InvoiceLineRow[],
  closedPeriods: readonly ClosedUsagePeriodRow[],
): Promise<InvoiceView> {
  const own = new Set(closedPeriods.map(({ close_id: id }) => id));
  const earlier = lines.flatMap(({ close_id: id }) => (id === null || own.has(id) ? [] : [id]));
  const known = [...closedPeriods, ...(await storedPeriods(database, invoice.org, earlier))];
  const byId = new Map(known.map((closedPeriod) => [closedPeriod.close_id, closedPeriod]));
  return {
    invoice,
    lines: lines.map((line) => {
      const closedPeriod = line.close_id === null ? undefined : byId.get(line.close_id);
      return {
        ...line,
        counted_quantity: closedPeriod?.quantity ?? null,
        absent_values: closedPeriod?.absent_values ?? null,
      };
    }),
  };
}

async function storedPeriods(
  database: Database,
  org: Uuid,
  closeIds: readonly string[],
): Promise<Pick<ClosedUsagePeriodRow, 'close_id' | 'quantity' | 'absent_values'>[]> {
  if (closeIds.length === 0) return [];
  return database.db
    .withTables<InvoiceTables>()
    .selectFrom('usage_closes')
    .select(['close_id', 'quantity', 'absent_values'])
    .where('org', '=', org)
    .where('close_id', 'in', closeIds)
    .execute();
}

/** Returns the view with status, cost due and payment from the account, as the read model may be a moment behind. */
export const withPayment = (
  { invoice, lines }: InvoiceView,
  { status, costDue, payment }: AccountInvoice,
): InvoiceView => ({
  lines,
  invoice: {
    ...invoice,
    payment_status: status,
    cost_due: toDecimal(money(costDue, invoice.currency)),
    external_payment_obj_id: payment.id,
    external_payment_obj_type: payment.type,
    external_payment_obj_status: payment.status,
  },
});
