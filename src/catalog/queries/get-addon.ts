import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import type { Addon } from '../domain/addon-version.js';
import type { AddonRow } from '../read-models.js';
import { addonOf } from './addon-rows.js';

export class GetAddon extends Query<Addon> {
  constructor(
    readonly org: Uuid,
    readonly addonId: Uuid,
  ) {
    super();
  }
}

@QueryHandler(GetAddon)
export class GetAddonHandler implements IQueryHandler<GetAddon> {
  constructor(private readonly database: Database) {}

  /** @throws DomainError `not_found` */
  async execute({ org, addonId }: GetAddon): Promise<Addon> {
    const row = await this.database.db
      .withTables<{ addons: AddonRow }>()
      .selectFrom('addons')
      .selectAll()
      .where('org', '=', org)
      .where('addon_id', '=', addonId)
      .executeTakeFirst();
    if (!row) throw new DomainError('not_found', 'There is no add-on with this id.');
    return addonOf(row);
  }
}
