import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Pool } from 'pg';
import { comparePositions, type RecordedEvent } from '../../src/kernel/event.js';

/** What is kept of the books of a release: the log and the usage that its invoices were computed from, row by row. */
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

/** Of each table its rows, each as the texts of its columns. */
type Books = Readonly<Record<string, readonly (readonly (string | null)[])[]>>;

const FOLDER = path.join(import.meta.dirname, '../fixtures/books');
const SUFFIX = '.json.br';
const fileOf = (name: string): string => path.join(FOLDER, name + SUFFIX);

/** The names of the books that are kept: the policies they were written by. */
export const keptBooks = (): string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length));

/** Writes the books of a database to the fixture of that name. Answers its size in bytes. */
export async function keepBooks(pool: Pool, name: string): Promise<number> {
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

/** Leaves one customer in so many, with what all customers share. */
function sampleOf(books: Books, oneIn: number): Books {
  const events = books['events']!;
  const keys = [
    ...new Set(events.flatMap(([, stream]) => /^customer-[^.]+\.(.+)$/.exec(stream!)?.[1] ?? [])),
  ];
  const left = new Set(keys.filter((_, place) => place % oneIn !== 0));
  const keyOf = (text: string) => keys.find((key) => text.includes(key));
  const isOfOther = (text: string) => left.has(keyOf(text) ?? '');
  const others = new Set(
    events.flatMap(([, stream, , , , data]) =>
      !stream!.startsWith('numberseries-') && (isOfOther(stream!) || isOfOther(data!)) ? [stream] : [],
    ),
  );
  return {
    ...books,
    events: events.filter(([, stream]) => !others.has(stream!)),
    usage_events: books['usage_events']!.filter(([, , customerKey]) => !left.has(customerKey!)),
  };
}

/**
 * Puts kept books into a migrated database that has none, as the release wrote them.
 * @param oneIn of so many customers one
 */
export async function openBooks(pool: Pool, name: string, oneIn = 1): Promise<void> {
  const books = oneIn === 1 ? readBooks(name) : sampleOf(readBooks(name), oneIn);
  for (const [table, { columns }] of Object.entries(TABLES)) {
    const { rows: types } = await pool.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
       where attrelid = $1::regclass and attnum > 0`,
      [table],
    );
    const typeOf = new Map(types.map(({ name: column, type }) => [column, type]));
    const values = columns.map((column, place) => `$${place + 1}::text[]`);
    const cast = columns.map((column, place) => `c${place}::${typeOf.get(column)!}`);
    const names = columns.map((_, place) => `c${place}`);
    await pool.query(
      `insert into ${table} (${columns.join()}) select ${cast.join()} from unnest(${values.join()}) as t (${names.join()})`,
      columns.map((_, place) => books[table]!.map((row) => row[place]!)),
    );
  }
}

/** The events of kept books as the log would hand them out. */
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
