import type pg from 'pg';
import type { Projection } from '../../../projections/runtime/projection.js';
import { categoryOf, type StreamCategory } from '../../../src/kernel/event.js';
import type { EventStore } from '../../../src/platform/eventsourcing/store/event-store.js';

/** Rows of each table, in the order of their keys. */
type Rows = Record<string, unknown[]>;

/** Folds all events from the first one in memory, one by one: the rows that a read model must have. */
export async function freshFold({ tables, categories, on }: Projection, store: EventStore): Promise<Rows> {
  const folded = new Map(Object.keys(tables).map((table) => [table, new Map<string, object>()]));
  for await (const event of store.readAll()) {
    if (!categories.includes(categoryOf(event.stream) as StreamCategory)) continue;
    const handler = on[event.type]!;
    for (const { table, key, change } of handler === 'ignore' ? [] : handler(event)) {
      const rows = folded.get(table)!;
      const identity = identityOf(tables[table]!.key, key);
      const next = change(rows.get(identity));
      if (next) rows.set(identity, next);
      else rows.delete(identity);
    }
  }
  return Object.fromEntries([...folded].map(([table, rows]) => [table, ascending(rows)]));
}

/** Reads the rows of a read model through its views. */
export async function storedRows(projection: Projection, pool: pg.Pool): Promise<Rows> {
  const entries = Object.entries(projection.tables).map(async ([table, { key }]) => {
    const { rows } = await pool.query<Record<string, unknown>>(`select * from ${table}`);
    return [table, ascending(new Map(rows.map((row) => [identityOf(key, row), row])))] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

const identityOf = (names: readonly string[], row: Readonly<Record<string, unknown>>): string =>
  names.map((name) => String(row[name])).join(' ');

const ascending = (rows: ReadonlyMap<string, object>): object[] =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
