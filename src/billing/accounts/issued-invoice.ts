import { DomainError } from '../../kernel/errors.js';
import { fromWireId, type Uuid } from '../../kernel/ids.js';
import type { Database } from '../../platform/database/open-database.js';
import type { InvoiceRow } from '../read-models/invoices.js';

/** An issued invoice with its place in the log. */
export type IssuedInvoice = Pick<
  InvoiceRow,
  'org' | 'invoice_id' | 'invoice_number' | 'customer_key' | 'currency' | 'issued_at' | 'computed_revision'
>;

const NUMBER = /^\d{6}-\d{6,}$/;

/** Finds an issued invoice by either name, `invoice_<uuid>` or `YYMMDD-000001` (docs/contract.md#invoice-pdf). */
export async function findIssuedInvoice(
  database: Database,
  org: Uuid,
  name: string,
): Promise<InvoiceRow | undefined> {
  const column = NUMBER.test(name) ? 'invoice_number' : 'invoice_id';
  const value = column === 'invoice_number' ? name : fromWireId('invoice', name);
  if (value === undefined) return undefined;
  return database.db
    .withTables<{ invoices: InvoiceRow }>()
    .selectFrom('invoices')
    .selectAll()
    .where('org', '=', org)
    .where(column, '=', value)
    .where('invoice_number', 'is not', null)
    .executeTakeFirst();
}

/** @throws DomainError `not_found` */
export async function issuedInvoice(database: Database, org: Uuid, name: string): Promise<InvoiceRow> {
  const row = await findIssuedInvoice(database, org, name);
  if (!row)
    throw new DomainError(
      'not_found',
      'There is no invoice with this id or number. Choose one from GET /api/invoices/.',
    );
  return row;
}
