import type pg from 'pg';

const FETCHED_AT_ONCE = 20_000;

export interface OrderedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Where there are fewer rows than a page they come in one round trip; otherwise with a cursor. */
  readonly mostRows: number;
}

/**
 * Hands a statement's rows over one by one, in its order. Memory is bounded here and there: the database sorts on disk
 * where it must, and hands out a page at a time.
 */
export async function readInOrder<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  { name, text, values, mostRows }: OrderedStatement,
  take: (row: Row) => void,
): Promise<void> {
  if (mostRows <= FETCHED_AT_ONCE) {
    const { rows } = await pool.query<Row>({ name, text, values: [...values] });
    rows.forEach(take);
    return;
  }
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin read only');
    await client.query(`declare in_order no scroll cursor for ${text}`, [...values]);
    for (let full = true; full;) {
      const { rows } = await client.query<Row>(`fetch ${FETCHED_AT_ONCE} from in_order`);
      rows.forEach(take);
      full = rows.length === FETCHED_AT_ONCE;
    }
    await client.query('commit');
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}
