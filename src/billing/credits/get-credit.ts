import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import { withDrawdowns, type CreditTables, type CreditView } from './credit-view.js';

export class GetCredit extends Query<CreditView> {
  constructor(
    readonly org: Uuid,
    /** Undefined: an id that cannot be one. */
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
    if (!row) throw new DomainError('not_found', 'There is no credit with this id.');
    return (await withDrawdowns(this.database, org, [row]))[0]!;
  }
}
