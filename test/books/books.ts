import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Pool } from 'pg';
import { comparePositions, type RecordedEvent } from '../../src/kernel/event.js';

/** Stored columns: the log and the usage that invoices were computed from. */
const TABLES = {
  events: {
    columns: ['position', 'stream', 'revision', 'id', 'type', 'data', 'metadata'],
    orderBy: 'position',
  },
  usage_batches: {
    columns: [
      ...['org', 'batch_id', 'sealed_number', 'event_count', 'earliest_event_time', 'digest', 'received_at'],
      'is_straggler',
    ],
    orderBy: 'batch_id',
  },
  usage_events: {
    columns: [
      ...['org', 'idempotency_id', 'customer_key', 'event_name', 'event_time', 'properties', 'body_hash'],
      'batch_id',
    ],
    orderBy: 'batch_id, idempotency_id',
  },
} as const;

/** Rows by table, each as the texts of its columns. */
type Books = Readonly<Record<string, readonly (readonly (string | null)[])[]>>;

const FOLDER = path.join(import.meta.dirname, '../fixtures/books');
const SUFFIX = '.json.br';
const fileOf = (name: string): string => path.join(FOLDER, name + SUFFIX);

/** Returns the names of the stored books: the policies that wrote them. */
export const storedBooks = (): string[] => booksIn(FOLDER);

/** Returns the small books of a policy, which meet its rules: one or more, as later rules brought more histories. */
export const storedEdges = (policy: string): string[] =>
  booksIn(path.join(FOLDER, 'edges'))
    .filter((name) => name.startsWith(policy))
    .map((name) => `edges/${name}`);

const booksIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length));

/** Writes the books of a database to a fixture. @returns its size in bytes */
export async function storeBooks(pool: Pool, name: string): Promise<number> {
  const books: Record<string, unknown> = {};
  for (const [table, { columns, orderBy }] of Object.entries(TABLES)) {
    const texts = columns.map((column) => `${column}::text`).join();
    const { rows } = await pool.query({
      text: `select ${texts} from ${table} order by ${orderBy}`,
      rowMode: 'array',
    });
    books[table] = rows;
  }
  const packed = brotliCompressSync(JSON.stringify(books), {
    params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  });
  writeFileSync(fileOf(name), packed);
  return packed.length;
}

const readBooks = (name: string): Books =>
  JSON.parse(brotliDecompressSync(readFileSync(fileOf(name))).toString()) as Books;

/** Selects one customer in `oneIn`, with the data that all customers share. */
function sampleOf(books: Books, oneIn: number): Books {
  const events = books['events']!;
  const keys = [
    ...new Set(events.flatMap(([, stream]) => /^customer-[^.]+\.(.+)$/.exec(stream!)?.[1] ?? [])),
  ];
  const omitted = new Set(keys.filter((_, index) => index % oneIn !== 0));
  const keyOf = (text: string) => keys.find((key) => text.includes(key));
  const isOfOther = (text: string) => omitted.has(keyOf(text) ?? '');
  const others = new Set(
    events.flatMap(([, stream, , , , data]) =>
      !stream!.startsWith('numberseries-') && (isOfOther(stream!) || isOfOther(data!)) ? [stream] : [],
    ),
  );
  return {
    ...books,
    events: events.filter(([, stream]) => !others.has(stream!)),
    usage_events: books['usage_events']!.filter(([, , customerKey]) => !omitted.has(customerKey!)),
  };
}

/**
 * Loads stored books into an empty migrated database, as the release wrote them.
 * @param oneIn loads one customer in this many
 */
export async function loadBooks(pool: Pool, name: string, oneIn = 1): Promise<void> {
  const books = oneIn === 1 ? readBooks(name) : sampleOf(readBooks(name), oneIn);
  for (const [table, { columns }] of Object.entries(TABLES)) {
    const { rows: types } = await pool.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
       where attrelid = $1::regclass and attnum > 0`,
      [table],
    );
    const typeOf = new Map(types.map(({ name: column, type }) => [column, type]));
    const values = columns.map((column, index) => `$${index + 1}::text[]`);
    const cast = columns.map((column, index) => `c${index}::${typeOf.get(column)!}`);
    const names = columns.map((_, index) => `c${index}`);
    await pool.query(
      `insert into ${table} (${columns.join()}) select ${cast.join()} from unnest(${values.join()}) as t (${names.join()})`,
      columns.map((_, index) => books[table]!.map((row) => row[index]!)),
    );
  }
}

/** Returns the events of stored books as the log would. */
export function eventsOfBooks(name: string): RecordedEvent[] {
  return readBooks(name)
    ['events']!.map((row): RecordedEvent => {
      const [position, stream, revision, id, type, data, metadata] = row as readonly string[];
      const at = BigInt(position!);
      return {
        id: id!,
        stream: stream!,
        type: type!,
        revision: BigInt(revision!),
        position: { commit: at, prepare: at },
        data: JSON.parse(data!) as object,
        metadata: JSON.parse(metadata!) as RecordedEvent['metadata'],
      };
    })
    .sort((a, b) => comparePositions(a.position, b.position));
}
