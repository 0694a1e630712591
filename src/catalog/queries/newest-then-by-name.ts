import { sql, type QueryExecutorProvider, type SelectQueryBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { readCursor, readPage, sliceOfPage, type Slice } from '../../platform/database/cursor.js';

interface Page<Id extends string> {
  readonly db: QueryExecutorProvider;
  readonly org: Uuid;
  readonly table: string;
  readonly id: Id;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Reads a page of a list of the catalog in its order: the newest first, then by name. */
export async function newestThenByName<
  Tables,
  Table extends keyof Tables,
  Id extends string,
  Row extends Readonly<Record<Id, Uuid>> & { readonly created_at: Instant },
>(
  filtered: SelectQueryBuilder<Tables, Table, Row>,
  { db, org, table, id, limit, cursor }: Page<Id>,
): Promise<Slice<Row>> {
  let page = filtered
    .orderBy(sql.ref('created_at'), 'desc')
    .orderBy(sql`name collate "C"`)
    .limit(limit + 1);
  if (cursor !== undefined) {
    const { at, id: last } = readCursor(cursor);
    const name = sql`(select name from ${sql.table(table)} where org = ${org} and ${sql.ref(id)} = ${last})`;
    page = page.where(
      sql<boolean>`(created_at < ${at} or created_at = ${at} and name collate "C" > ${name})`,
    );
  }
  const size = { db, bytes: sql<number>`octet_length(page::text)` };
  return sliceOfPage(await readPage(page, limit, size), (row) => ({ at: row.created_at, id: row[id] }));
}
