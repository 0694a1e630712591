import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ANALYTICS_VIEWS } from '../../projections/analytics/views.js';
import { print } from '../../src/cli/output.js';
import { readCommand } from '../../src/cli/read-command.js';
import { toWireId } from '../../src/kernel/ids.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fourMonths } from '../support/four-months.js';
import { shopOf } from '../support/shop.js';

type Row = Readonly<Record<string, string | null>>;

let app: TestApp;
let database: pg.Client;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  await fourMonths(app, shopOf(app));
  const asText = { getTypeParser: () => (text: string) => text };
  database = new pg.Client({ connectionString: app.databaseUrl, types: asText as never });
  await database.connect();
  await database.query(`set timezone to 'UTC'`);
});
afterAll(async () => {
  await database.end();
  await app.stop();
});

async function exported(view: string, format: 'csv' | 'parquet'): Promise<Buffer> {
  const organization = ['--organization', toWireId('org', app.org)];
  const invocation = await readCommand(['export', view, '--format', format, ...organization]);
  if ('help' in invocation) throw new Error('no command');
  const parts: Buffer[] = [];
  const write = (part: string | Uint8Array) => void parts.push(Buffer.from(part as Uint8Array));
  await print(invocation.command(app.service.app), { write, isTerminal: false, note: undefined }, false);
  return Buffer.concat(parts);
}

/** Reads CSV (RFC 4180). An empty field is null; a quoted empty field is an empty text. */
function readCsv(text: string): Row[] {
  const lines: (string | null)[][] = [[]];
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    lines.at(-1)!.push(quoted === undefined ? bare! || null : quoted.replaceAll('""', '"'));
    if (end === '\n') lines.push([]);
  }
  const [names, ...rows] = lines.slice(0, -1);
  return rows.map((values) => Object.fromEntries(values.map((value, index) => [names![index]!, value])));
}

/** Converts a value of PostgreSQL or Parquet to a common form for numbers and times. */
function plain(value: unknown, type: string): unknown {
  if (value === null) return null;
  if (type === 'boolean') return value === true || value === 't';
  // The reader multiplies a decimal by a power of ten, which leaves an error in the 16th digit.
  if (/^(numeric|bigint|integer)$/.test(type)) return Number(Number(value).toPrecision(15));
  if (/^(timestamp|date)/.test(type)) return new Date(value as string).getTime();
  return value;
}

async function readParquet(file: Buffer): Promise<Record<string, unknown>[]> {
  const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer;
  return parquetReadObjects({ file: bytes });
}

const sorted = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

describe('the exported rows of a view', () => {
  it.each(ANALYTICS_VIEWS.map(({ name }) => name))(
    'are those of the table, as CSV and Parquet: %s',
    async (name) => {
      const { columns } = ANALYTICS_VIEWS.find((view) => view.name === name)!;
      const { rows } = await database.query<Row>(`select * from analytics.${name} where org = $1`, [app.org]);
      expect({ name, isEmpty: rows.length === 0 }).toEqual({ name, isEmpty: false });
      expect(sorted(readCsv((await exported(name, 'csv')).toString()))).toEqual(sorted(rows));

      const typed = (row: Readonly<Record<string, unknown>>) =>
        Object.fromEntries(Object.entries(columns).map(([key, { type }]) => [key, plain(row[key], type)]));
      const read = await readParquet(await exported(name, 'parquet'));
      expect(sorted(read.map(typed))).toEqual(sorted(rows.map(typed)));
    },
  );
});

describe('the last row of a page of CSV', () => {
  it('keeps the blanks that its text ends with', async () => {
    await database.query(
      `create view analytics.blanks as select '${app.org}'::uuid as org, 'x' || E' \t\u00a0' as words`,
    );
    expect((await exported('blanks', 'csv')).toString()).toBe(`org,words\n${app.org},x \t\u00a0\n`);
  });
});
