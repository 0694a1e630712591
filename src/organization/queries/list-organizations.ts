import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { pastMoment } from '../../platform/as-of/moment.js';
import { readCursor, sliceOf, type Slice } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import type { Settings } from '../domain/events.js';
import { OrganizationReader } from '../organization-reader.js';

/** An organization with its settings, or with the error that reading them ended with. */
export type ListedOrganization = {
  readonly org: Uuid;
  /** Wall time of its first key. */
  readonly createdAt: Instant;
} & ({ readonly settings: Settings } | { readonly unreadable: unknown });

interface Row {
  readonly org: Uuid;
  readonly at: Instant;
}

/** Lists in order of creation. */
export class ListOrganizations extends Query<Slice<ListedOrganization>> {
  constructor(readonly page: { readonly limit: number; readonly cursor: string | undefined }) {
    super();
  }
}

/** Lists organizations from the table of keys: each got a key when it was created, and keys are never deleted. */
@QueryHandler(ListOrganizations)
export class ListOrganizationsHandler implements IQueryHandler<ListOrganizations> {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationReader,
  ) {}

  /** Returns a pool that reads the keys of the present, which has the first key of every organization of any moment. */
  private keysPool(): Pick<Pool, 'query'> {
    return pastMoment() ? this.database.reserved.keys : this.database.pool;
  }

  async execute({ page: { limit, cursor } }: ListOrganizations): Promise<Slice<ListedOrganization>> {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const { rows } = await this.keysPool().query<Row>({
      name: 'organizations-list',
      text: `select org, at from (select org, min(created_at) as at from api_keys group by org) as made
        where $1::timestamptz is null or (at, org) > ($1, $2) order by at, org limit $3`,
      values: [after?.at ?? null, after?.id ?? null, limit + 1],
    });
    const { rows: shown, nextCursor } = sliceOf(rows, limit, ({ at, org: id }) => ({ at, id }));
    const read = await Promise.all(shown.map((row) => this.read(row)));
    return { rows: read.filter((one) => one !== undefined), nextCursor };
  }

  /** Reads an organization; returns undefined for one that has keys and no settings yet. */
  private async read({ org, at: createdAt }: Row): Promise<ListedOrganization | undefined> {
    try {
      const found = await this.organizations.load(org);
      return found && { org, createdAt, settings: found.settings };
    } catch (unreadable) {
      return { org, createdAt, unreadable };
    }
  }
}
