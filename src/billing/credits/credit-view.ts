import type { Uuid } from '../../kernel/ids.js';
import type { Database } from '../../platform/database/open-database.js';
import type { CreditDrawdownRow, CreditRow } from '../read-models/credits.js';

/** A credit with what invoices took from it, in order. */
export interface CreditView {
  readonly credit: CreditRow;
  readonly drawdowns: readonly CreditDrawdownRow[];
}

// A type, as kysely takes no interface here.
export type CreditTables = {
  credits: CreditRow;
  credit_drawdowns: CreditDrawdownRow;
};

/** The drawdowns of any number of credits, in one statement. */
export async function withDrawdowns(
  database: Database,
  org: Uuid,
  credits: readonly CreditRow[],
): Promise<CreditView[]> {
  if (credits.length === 0) return [];
  const rows = await database.db
    .withTables<CreditTables>()
    .selectFrom('credit_drawdowns')
    .selectAll()
    .where('org', '=', org)
    .where(
      'credit_id',
      'in',
      credits.map(({ credit_id: id }) => id),
    )
    .orderBy('applied_at')
    .orderBy('invoice_id')
    .execute();
  return credits.map((credit) => ({
    credit,
    drawdowns: rows.filter((row) => row.credit_id === credit.credit_id),
  }));
}
