import { sql, type RawBuilder } from 'kysely';
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
export function sliceOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => Cursor,
): Slice<Row> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length <= limit || !last) return { rows: page, nextCursor: undefined };
  const { at, id } = cursorOf(last);
  return { rows: page, nextCursor: encodeCursor([at, id]) };
}
