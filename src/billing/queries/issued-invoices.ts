import type { InvoiceRow } from '../../../projections/invoices/schema.js';
import type { Database } from '../../platform/database/open-database.js';

/** Where the log has an issued invoice. */
export type IssuedInvoice = Pick<
  InvoiceRow,
  'org' | 'invoice_id' | 'invoice_number' | 'customer_key' | 'currency' | 'issued_at' | 'computed_revision'
>;

const PAGE = 500;

/** Every issued invoice of every organization, page by page; those of one customer one after the other. */
export async function* issuedInvoices({ pool }: Database): AsyncGenerator<readonly IssuedInvoice[]> {
  for (let after: IssuedInvoice | undefined; ;) {
    const { rows }: { rows: IssuedInvoice[] } = await pool.query<IssuedInvoice>({
      name: after ? 'issued-invoices-after' : 'issued-invoices',
      text: after ? AFTER : FIRST,
      values: after ? [after.org, after.customer_key, after.issued_at, after.invoice_id] : [],
    });
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1);
  }
}

/** In the order of an index. */
const page = (where: string): string => `
select org, invoice_id, invoice_number, customer_key, currency, issued_at, computed_revision from invoices
where invoice_number is not null ${where}
order by org, customer_key, issued_at desc, invoice_id limit ${PAGE}`;

const FIRST = page('');
const AFTER = page(`
  and (org, customer_key) >= ($1::uuid, $2::uuid)
  and ((org, customer_key) > ($1, $2) or issued_at < $3::timestamptz or (issued_at = $3 and invoice_id > $4::uuid))`);
