import { sql, type Expression, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import { invalidFields } from '../../kernel/errors.js';
import { isUuid, type Uuid } from '../../kernel/ids.js';
import { parseInstant, type Instant } from '../../kernel/instant.js';

/** End of a page in a list that is ordered by a time, newest first, and then by an id. */
export interface Cursor {
  readonly at: Instant;
  readonly id: Uuid;
}

export interface Slice<Row> {
  readonly rows: readonly Row[];
  /** Opaque text that requests the next page; undefined on the last page. */
  readonly nextCursor: string | undefined;
}

export const encodeCursor = (values: readonly string[]): string =>
  Buffer.from(values.join(' '), 'utf8').toString('base64url');

export const decodeCursor = (text: string): readonly string[] =>
  Buffer.from(text, 'base64url').toString('utf8').split(' ');

export const invalidCursor = () =>
  invalidFields({
    code: 'invalid',
    detail: 'This is no cursor of a list. Send the cursor of the Link header of the page before.',
    attr: 'cursor',
  });

/** Reads a cursor. @throws DomainError for text that no answer contained */
export function readCursor(text: string): Cursor {
  const [time = '', id = ''] = decodeCursor(text);
  const at = parseInstant(time);
  if (at === undefined || !isUuid(id)) throw invalidCursor();
  return { at, id };
}

/**
 * Returns the SQL condition of the rows after a cursor, ordered by a time, newest first, and then by an id. The separate
 * bound on the time lets an index scan begin there, so earlier pages are not read again.
 */
export function isAfterCursor(text: string, time: string, id: string): RawBuilder<boolean> {
  const last = readCursor(text);
  const [at, key] = [sql.ref(time), sql.ref(id)];
  return sql`(${at} <= ${last.at} and (${at} < ${last.at} or ${key} > ${last.id}))`;
}

/** Returns a page of a whole list in memory, which is ordered by time and id. */
export function pageOf<Row>(
  all: readonly Row[],
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
  cursorOf: (row: Row) => Cursor,
): Slice<Row> {
  const text = ({ at, id }: Cursor): string => `${at} ${id}`;
  const after = cursor === undefined ? '' : text(readCursor(cursor));
  return sliceOf(
    all.filter((row) => text(cursorOf(row)) > after),
    limit,
    cursorOf,
  );
}

/** Returns a page of rows that were read with a limit of `limit + 1`: an extra row means that there is a next page. */
export const sliceOf = <Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => Cursor,
): Slice<Row> => sliceOfPage({ rows: rows.slice(0, limit), hasMore: rows.length > limit }, cursorOf);

/** Returns a page with the cursor of its last row. */
export function sliceOfPage<Row>(
  { rows, hasMore }: PageRows<Row>,
  cursorOf: (row: Row) => Cursor,
): Slice<Row> {
  const last = hasMore ? rows.at(-1) : undefined;
  if (!last) return { rows, nextCursor: undefined };
  const { at, id } = cursorOf(last);
  return { rows, nextCursor: encodeCursor([at, id]) };
}

/** Rows of a page; `hasMore` if others follow. */
export interface PageRows<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** Limit of bytes of a page: it ends with the row that reaches it. */
export const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** Measures the rows of a list. */
export interface RowSize {
  readonly db: QueryExecutorProvider;
  /** SQL of the bytes of the row `page`, with what is loaded for it later. */
  readonly bytes: RawBuilder<number>;
}

const bytesBefore = (rows: number) =>
  sql`coalesce(sum(page_bytes) over (rows between unbounded preceding and ${sql.lit(rows)} preceding), 0)`;

/** SQL for ordered rows with a column `page_bytes`: where their page ends. */
export const PAGE_END = {
  /** True for a row that is after the page. */
  isAfterPage: sql<boolean>`${bytesBefore(1)} >= ${sql.lit(MAX_PAGE_BYTES)}`,
  /** True for the rows of the page and the next one. */
  isRead: sql<boolean>`${bytesBefore(2)} < ${sql.lit(MAX_PAGE_BYTES)}`,
};

/**
 * Reads a page of at most `MAX_PAGE_BYTES` and one row more, which tells that others follow.
 * @param ordered query with its order and a limit of one more row than the page may have
 */
export async function readPage<Row>(
  ordered: Expression<Row>,
  limit: number,
  { db, bytes }: RowSize,
): Promise<PageRows<Row>> {
  const { rows } = await sql<Row & { readonly is_after_page: boolean }>`
    select * from (
      select page.*, ${PAGE_END.isAfterPage} as is_after_page, ${PAGE_END.isRead} as is_read
      from (select page.*, ${bytes} as page_bytes from ${ordered} page) page
    ) measured where is_read`.execute(db);
  const page = rows.slice(0, limit).filter((row) => !row.is_after_page);
  return { rows: page, hasMore: rows.length > page.length };
}
