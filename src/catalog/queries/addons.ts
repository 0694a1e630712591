import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { readCursor, sliceOf, type Slice } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import type { Addon } from '../domain/addon-version.js';
import type { AddonRow } from '../read-models.js';

const addonOf = (row: AddonRow): Addon => ({
  addonId: row.addon_id,
  name: row.name,
  description: row.description,
  version: {
    versionId: row.version_id,
    content: {
      currency: row.currency,
      recurringCharges: row.recurring_charges,
      components: row.components,
      priceAdjustment: null,
    },
    contentHash: row.content_hash,
    features: row.features,
    invoiceWhen: row.invoice_when,
    billingFrequency: row.billing_frequency,
    createdAt: row.created_at,
  },
});

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
    if (!row) throw new DomainError('not_found', unknownId('add-on'));
    return addonOf(row);
  }
}

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

  /** Lists the newest first, then by name. */
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
