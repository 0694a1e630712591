import { sql, type RawBuilder } from 'kysely';
import { invalidFields } from '../../kernel/errors.js';
import { isUuid, type Uuid } from '../../kernel/ids.js';
import { parseInstant, type Instant } from '../../kernel/instant.js';

/** Where a page of a list ended that is ordered by a time, newest first, and then by an id. */
export interface Cursor {
  readonly at: Instant;
  readonly id: Uuid;
}

export interface Slice<Row> {
  readonly rows: readonly Row[];
  /** Opaque text by which the next page begins; undefined on the last one. */
  readonly nextCursor: string | undefined;
}

/** @throws DomainError for a text that no answer of ours can have held */
export function readCursor(text: string): Cursor {
  const [time = '', id = ''] = Buffer.from(text, 'base64url').toString('utf8').split(' ');
  const at = parseInstant(time);
  if (at === undefined || !isUuid(id)) {
    throw invalidFields({
      code: 'invalid',
      detail: 'Give a cursor from the Link header of the page before.',
      attr: 'cursor',
    });
  }
  return { at, id };
}

/**
 * Condition of the rows after a cursor, in the order of a time, newest first, and then of an id. The bound on the time
 * stands alone, so that an index begins there: rows of the pages before are not read again.
 */
export function isAfterCursor(text: string, time: string, id: string): RawBuilder<boolean> {
  const last = readCursor(text);
  const [at, key] = [sql.ref(time), sql.ref(id)];
  return sql`(${at} <= ${last.at} and (${at} < ${last.at} or ${key} > ${last.id}))`;
}

/** A page of a list that is short enough to be read whole, in the order of its times and ids. */
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

/** A page of rows of which one more than `limit` was asked for: that there is one says that there is a next page. */
export function sliceOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => Cursor,
): Slice<Row> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length <= limit || !last) return { rows: page, nextCursor: undefined };
  const { at, id } = cursorOf(last);
  return { rows: page, nextCursor: Buffer.from(`${at} ${id}`, 'utf8').toString('base64url') };
}
