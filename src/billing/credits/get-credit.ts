import type { Uuid } from '../../kernel/ids.js';
import { groupBy } from '../../kernel/iteration.js';
import { Database } from '../../platform/database/open-database.js';
import type { CreditDrawdownRow, CreditRow } from '../read-models/credits.js';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError, unknownId } from '../../kernel/errors.js';

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

/** Loads the drawdowns of any number of credits in one statement. */
export async function loadDrawdowns(
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
  const byCredit = groupBy(rows, (row) => row.credit_id);
  return credits.map((credit) => ({ credit, drawdowns: byCredit.get(credit.credit_id) ?? [] }));
}

export class GetCredit extends Query<CreditView> {
  constructor(
    readonly org: Uuid,
    /** Undefined for a malformed id. */
    readonly creditId: Uuid | undefined,
  ) {
    super();
  }
}

@QueryHandler(GetCredit)
export class GetCreditHandler implements IQueryHandler<GetCredit> {
  constructor(private readonly database: Database) {}

  /** @throws DomainError `not_found` */
  async execute({ org, creditId }: GetCredit): Promise<CreditView> {
    const row =
      creditId &&
      (await this.database.db
        .withTables<CreditTables>()
        .selectFrom('credits')
        .selectAll()
        .where('org', '=', org)
        .where('credit_id', '=', creditId)
        .executeTakeFirst());
    if (!row) throw new DomainError('not_found', unknownId('credit'));
    return (await loadDrawdowns(this.database, org, [row]))[0]!;
  }
}
