import type { Uuid } from '../../kernel/ids.js';
import type { Database } from '../../platform/database/open-database.js';
import type { InvoiceTables } from './invoice-view.js';

export interface IssuedInvoice {
  readonly org: Uuid;
  readonly name: string;
}

const PAGE = 500;

/** The numbers of every issued invoice of every organization, page by page. */
export async function* issuedInvoices(database: Database): AsyncGenerator<readonly IssuedInvoice[]> {
  const invoices = database.db
    .withTables<InvoiceTables>()
    .selectFrom('invoices')
    .select(['org', 'invoice_number as name'])
    .where('invoice_number', 'is not', null)
    .$narrowType<{ name: string }>()
    .orderBy('org')
    .orderBy('invoice_number')
    .limit(PAGE);
  for (let after: IssuedInvoice | undefined; ;) {
    const last = after;
    const page = await (
      last
        ? invoices.where((at) =>
            at.or([
              at('org', '>', last.org),
              at.and([at('org', '=', last.org), at('invoice_number', '>', last.name)]),
            ]),
          )
        : invoices
    ).execute();
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1);
  }
}
