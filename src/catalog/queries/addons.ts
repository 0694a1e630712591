import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Slice } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import type { Addon } from '../domain/addon-version.js';
import type { AddonRow } from '../read-models.js';
import { newestThenByName } from './newest-then-by-name.js';

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
    const { db } = this.database;
    const filtered = db
      .withTables<{ addons: AddonRow }>()
      .selectFrom('addons')
      .selectAll()
      .where('org', '=', org);
    const slice = await newestThenByName(filtered, { db, org, table: 'addons', id: 'addon_id', ...page });

    return { ...slice, rows: slice.rows.map(addonOf) };
  }
}
