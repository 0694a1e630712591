import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import type { Uuid } from '../../kernel/ids.js';
import { readCursor, sliceOf, type Slice } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import type { Addon } from '../domain/addon-version.js';
import type { AddonRow } from '../read-models.js';
import { addonOf } from './addon-rows.js';

export class ListAddons extends Query<Slice<Addon>> {
  constructor(
    readonly org: Uuid,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}

@QueryHandler(ListAddons)
export class ListAddonsHandler implements IQueryHandler<ListAddons> {
  constructor(private readonly database: Database) {}

  /** The newest first, then by name. */
  async execute({ org, page }: ListAddons): Promise<Slice<Addon>> {
    let wanted = this.database.db
      .withTables<{ addons: AddonRow }>()
      .selectFrom('addons')
      .selectAll()
      .where('org', '=', org)
      .orderBy('created_at', 'desc')
      .orderBy('name')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) {
      const { at, id } = readCursor(page.cursor);
      const last = sql<string>`(select name from addons where org = ${org} and addon_id = ${id})`;
      wanted = wanted.where(sql<boolean>`(created_at < ${at} or created_at = ${at} and name > ${last})`);
    }
    const slice = sliceOf(await wanted.execute(), page.limit, (row) => ({
      at: row.created_at,
      id: row.addon_id,
    }));
    return { ...slice, rows: slice.rows.map(addonOf) };
  }
}
