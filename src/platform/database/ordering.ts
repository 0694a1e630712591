import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { isUuid } from '../../kernel/ids.js';
import { parseInstant } from '../../kernel/instant.js';
import {
  decodeCursor,
  encodeCursor,
  invalidCursor,
  readPage,
  type PageRows,
  type RowSize,
  type Slice,
} from './cursor.js';

const IS_VALUE = {
  timestamptz: (text: string) => text === NEVER || parseInstant(text) === text,
  numeric: (text: string) => /^-?\d{1,40}(\.\d{1,40})?$/.test(text),
  text: (text: string) => /^[\w-]{1,40}$/.test(text),
  uuid: isUuid,
};

/** Stands after every time, for a row without one. */
const NEVER = 'infinity';

/** Expression that rows are ordered by, with its value in a row. */
export interface OrderKey<Row> {
  readonly sql: RawBuilder<unknown>;
  readonly type: keyof typeof IS_VALUE;
  readonly valueOf: (row: Row) => string;
}

/** Orders rows by a column that is never null. */
export const byColumn = <Column extends string>(
  column: Column,
  type: OrderKey<unknown>['type'],
): OrderKey<Readonly<Record<Column, string>>> => ({
  sql: sql.ref(column),
  type,
  valueOf: (row) => row[column],
});

/** Orders rows by a time; rows without one come after all others. */
export const byTimeOrNever = <Column extends string>(
  column: Column,
): OrderKey<Readonly<Record<Column, string | null>>> => ({
  sql: sql`coalesce(${sql.ref(column)}, 'infinity'::timestamptz)`,
  type: 'timestamptz',
  valueOf: (row) => row[column] ?? NEVER,
});

/** Order of a list: all keys ascend or all descend, so one index serves both. The last key is the id. */
export interface ListOrder<Row> {
  /** As the caller wrote it, such as `-amount`. */
  readonly name: string;
  readonly keys: readonly OrderKey<Row>[];
}

/** Returns the values of `ordering` for these fields: each ascending, and with a minus descending. */
export const orderingsOf = <Field extends string>(
  fields: readonly Field[],
): readonly (Field | `-${Field}`)[] => fields.flatMap((field) => [field, `-${field}` as const]);

/** Returns the orders of a list: the values of `ordering`, and the order that each names. @param id the last key of each */
export function ordersBy<Field extends string, Row>(
  id: OrderKey<Row>,
  keys: Readonly<Record<Field, readonly OrderKey<NoInfer<Row>>[]>>,
) {
  return {
    orderings: orderingsOf(Object.keys(keys) as Field[]),
    named: (name: Field | `-${Field}`): ListOrder<Row> => ({
      name,
      keys: [...keys[name.replace(/^-/, '') as Field], id],
    }),
  };
}

/**
 * Reads a page in this order. After a cursor it begins at a comparison of rows, which an index scan can start from.
 * @param size of the rows, for a list whose rows may be large
 * @throws DomainError for a cursor that no answer in this order contained
 */
export async function pageInOrder<Tables, Table extends keyof Tables, Row>(
  filtered: SelectQueryBuilder<Tables, Table, Row>,
  { name, keys }: ListOrder<Row>,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
  size?: RowSize,
): Promise<Slice<Row>> {
  const isDescending = name.startsWith('-');
  let query = filtered.limit(limit + 1);
  for (const { sql: term } of keys) query = query.orderBy(isDescending ? sql`${term} desc` : term);
  if (cursor !== undefined) {
    const [ordering, ...values] = decodeCursor(cursor);
    const isOfOrder = keys.every(({ type }, index) => IS_VALUE[type](values[index] ?? ''));
    if (ordering !== name || !isOfOrder) throw invalidCursor();
    const row = sql.join(keys.map(({ sql: term }) => term));
    const last = sql.join(keys.map(({ type }, index) => sql`${values[index]}::${sql.raw(type)}`));
    query = query.where(
      isDescending ? sql<boolean>`(${row}) < (${last})` : sql<boolean>`(${row}) > (${last})`,
    );
  }
  const { rows, hasMore } = size ? await readPage(query, limit, size) : await firstRows(query, limit);
  const last = hasMore ? rows.at(-1) : undefined;
  if (!last) return { rows, nextCursor: undefined };
  return { rows, nextCursor: encodeCursor([name, ...keys.map(({ valueOf }) => valueOf(last))]) };
}

async function firstRows<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  limit: number,
): Promise<PageRows<Row>> {
  const rows = await query.execute();
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
