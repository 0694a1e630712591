import type { INestApplicationContext } from '@nestjs/common';
import { distance } from 'fastest-levenshtein';
import type pg from 'pg';
import type { Uuid } from '../kernel/ids.js';
import { Database } from '../platform/database/open-database.js';
import { createPool } from '../platform/database/pg-pool.js';
import type { Output } from './output.js';
import type { ParquetFile } from './parquet-file.js';

export type Format = 'csv' | 'json' | 'parquet';

/** Number of rows in memory at a time; a row group of Parquet holds more of them. */
const ROWS = { csv: 1_000, json: 1_000, parquet: 20_000 };

/**
 * Prints every row of a view that an organization has, read through a cursor in one snapshot: as CSV with a
 * header line, as a JSON object per line, or as a Parquet file. Amounts are the decimals of the database,
 * instants are UTC.
 * @throws Error that names the nearest view
 */
export async function* exportView(
  app: INestApplicationContext,
  org: Uuid,
  named: string,
  format: Format,
): AsyncGenerator<Output, boolean> {
  const pool = createPool(app.get(Database).url, () => {}, 1);
  const client = await pool.connect();
  try {
    const view = await findView(client, named);
    await client.query('begin isolation level repeatable read read only');
    const fields = format === 'json' ? 'row_to_json(rows)::text' : 'rows.*';
    await client.query(
      `declare exported no scroll cursor for select ${fields} from ${view} rows where org = $1`,
      [org],
    );
    let parquet: ParquetFile | undefined;
    for (let isFirst = true; ; isFirst = false) {
      const page = await client.query<(string | null)[]>({
        text: `fetch ${ROWS[format]} from exported`,
        rowMode: 'array',
        types: AS_TEXT,
      });
      const isLast = page.rows.length < ROWS[format];
      if (format === 'parquet') {
        parquet ??= new (await import('./parquet-file.js')).ParquetFile(page.fields);
        if (page.rows.length > 0) yield { bytes: await parquet.rowGroup(page.rows) };
        if (isLast) yield { bytes: await parquet.end() };
        if (isLast) return true;
        continue;
      }
      const names = page.fields.map(({ name }) => name);
      const lines = format === 'json' ? page.rows.map(([json]) => json!) : page.rows.map(csvLine);
      if (isFirst && format === 'csv') lines.unshift(csvLine(names));
      if (lines.length > 0) yield { raw: `${lines.join('\n')}\n` };
      if (isLast) return true;
    }
  } finally {
    client.release(true);
    await pool.end();
  }
}

const AS_TEXT = { getTypeParser: () => (text: string) => text };

/**
 * A field of CSV (RFC 4180): null is an empty field, and an empty text is a quoted one. Text that a spreadsheet takes for a
 * formula is left as it is, as programs read the file (docs/command-line.md).
 */
function csvField(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

const csvLine = (values: readonly (string | null)[]): string => values.map(csvField).join(',');

/** Finds an analytics view, or else a read model, by its name. The identifier is escaped for statements. */
async function findView(client: pg.PoolClient, named: string): Promise<string> {
  const { rows } = await client.query<{ name: string; identifier: string }>(
    `select case nspname when 'analytics' then '' else 'read_models.' end || relname as name,
       format('%I.%I', nspname, relname) as identifier
     from pg_class c join pg_namespace n on n.oid = relnamespace
     where nspname in ('analytics', current_schema()) and relkind = 'v'
       and exists (select from pg_attribute a where a.attrelid = c.oid and attname = 'org')
     order by nspname, relname`,
  );
  const found = rows.find(({ name }) => name === named);
  if (found) return found.identifier;
  const names = rows.map(({ name }) => name);
  if (names.length === 0) throw new Error('There are no views in this database yet: start the service once.');
  const nearest = names.reduce((one, other) => (distance(named, other) < distance(named, one) ? other : one));
  throw new Error(`There is no view "${named}"; did you mean ${nearest}? There are ${names.join(', ')}.`);
}
