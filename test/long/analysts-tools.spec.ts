import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ANALYTICS_VIEWS } from '../../projections/analytics/views.js';
import { print } from '../../src/cli/output.js';
import { readCommand } from '../../src/cli/read-command.js';
import { toWireId } from '../../src/kernel/ids.js';
import { unpack } from '../cli/evidence/edit-bundle.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fourMonths } from '../support/four-months.js';
import { installPackages } from '../support/install-packages.js';
import { recount } from '../support/recount.js';
import { shopOf } from '../support/shop.js';

const run = promisify(execFile);
/** DuckDB, whose binaries are npm packages. It is installed for this spec only. */
const DUCKDB = '@duckdb/node-api@1.5.6-r.1';
const PSQL_IS_MISSING = 'psql was not tested: install it (Debian: postgresql-client).';

const GUIDE = readFileSync('docs/guides/analytics.md', 'utf8');
const QUESTIONS = [...GUIDE.matchAll(/^(.*\?)\n\n```sql\n([^`]+)```$/gm)].map(([, question, sql]) => ({
  question: question!,
  sql: sql!.trim(),
}));

/** The query of usage that the page of evidence bundles shows. */
const BUNDLE_SQL = /^```sql\n([^`]+);\n```$/m.exec(readFileSync('docs/evidence-bundle.md', 'utf8'))![1]!;

/** Reads `[[name, statement], …]` and prints the rows of each, every value as text. */
const PROGRAM = `
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run("set timezone = 'UTC'");
const answers = {};
for (const [name, sql] of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  const reader = await connection.runAndReadAll(sql);
  answers[name] = reader.getRows().map((row) => row.map((value) => (value === null ? null : String(value))));
}
console.log(JSON.stringify(answers));
`;

describe('the tools that the analytics guide names', () => {
  let app: TestApp;
  let folder: string;
  let database: pg.Client;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'recount-analysts-'));
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    await fourMonths(app, shopOf(app));
    await app.pool.query(
      `do $$ begin create role recount_reader nologin; exception when others then null; end $$`,
    );
    await app.pool.query('grant usage on schema analytics to recount_reader');
    await app.pool.query('grant select on all tables in schema analytics to recount_reader');
    database = new pg.Client({
      connectionString: app.databaseUrl,
      types: { getTypeParser: () => (text: string) => text } as never,
    });
    await database.connect();
    await database.query(`set timezone to 'UTC'`);
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module", "private": true }');
    writeFileSync(path.join(folder, 'program.js'), PROGRAM);
    await installPackages(folder, [DUCKDB]);
  });
  afterAll(async () => {
    await database.end();
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function exported(view: string, format: 'csv' | 'parquet'): Promise<Buffer> {
    const organization = ['--organization', toWireId('org', app.org)];
    const invocation = await readCommand(['export', view, '--format', format, ...organization]);
    if ('help' in invocation) throw new Error('no command');
    const parts: Uint8Array[] = [];
    const write = (part: string | Uint8Array) => void parts.push(Buffer.from(part as Uint8Array));
    await print(invocation.command(app.service.app), { write, isTerminal: false, note: undefined }, false);
    return Buffer.concat(parts);
  }

  /** Asks DuckDB in a folder. @returns the rows by the name of the statement */
  async function inDuckdb(
    statements: readonly (readonly [string, string])[],
    cwd = folder,
  ): Promise<Record<string, (string | null)[][]>> {
    const file = path.join(folder, 'statements.json');
    writeFileSync(file, JSON.stringify(statements));
    const program = [path.join(folder, 'program.js'), file];
    const { stdout } = await run(process.execPath, program, { cwd, maxBuffer: 50_000_000 });
    return JSON.parse(stdout) as Record<string, (string | null)[][]>;
  }

  const inPostgres = async (sql: string): Promise<(string | null)[][]> =>
    (await database.query<(string | null)[]>({ text: sql, rowMode: 'array' })).rows;
  const ofOrg = (sql: string) => sql.replaceAll(`:'org'`, `'${app.org}'`);

  it('DuckDB reads CSV and Parquet of every view, and answers each question as PostgreSQL does', async () => {
    mkdirSync(path.join(folder, 'views'));
    const statements: [string, string][] = [['schema', 'create schema analytics']];
    for (const { name } of ANALYTICS_VIEWS) {
      for (const format of ['csv', 'parquet'] as const) {
        writeFileSync(path.join(folder, `views/${name}.${format}`), await exported(name, format));
      }
      statements.push([
        `make ${name}`,
        `create view analytics.${name} as select * from 'views/${name}.parquet'`,
      ]);
      statements.push([`parquet ${name}`, `select count(*) from analytics.${name}`]);
      statements.push([`csv ${name}`, `select count(*) from 'views/${name}.csv'`]);
    }
    statements.push(...QUESTIONS.map(({ question, sql }): [string, string] => [question, ofOrg(sql)]));
    const answers = await inDuckdb(statements);

    for (const { name } of ANALYTICS_VIEWS) {
      const [[count]] = (await inPostgres(
        ofOrg(`select count(*) from analytics.${name} where org = :'org'`),
      )) as [[string]];
      expect({ name, parquet: answers[`parquet ${name}`], csv: answers[`csv ${name}`] }).toEqual({
        name,
        parquet: [[count]],
        csv: [[count]],
      });
    }
    expect(QUESTIONS.length).toBeGreaterThanOrEqual(20);
    for (const { question, sql } of QUESTIONS) {
      const expected = await inPostgres(ofOrg(sql));
      expect({ question, rows: answers[question]!.map((row) => row.map(plain)).sort() }).toEqual({
        question,
        rows: expected.map((row) => row.map(plain)).sort(),
      });
    }
  });

  it('DuckDB counts the usage of an evidence bundle as its page writes it', async () => {
    const file = path.join(folder, 'bundle.zip');
    expect((await recount(app, 'audit', 'export', file, '--from', '2026-01-01')).isWell).toBe(true);
    const bundle = path.join(folder, 'bundle');
    for (const [name, bytes] of await unpack(readFileSync(file))) {
      mkdirSync(path.dirname(path.join(bundle, name)), { recursive: true });
      writeFileSync(path.join(bundle, name), bytes);
    }
    const { usage } = await inDuckdb([['usage', BUNDLE_SQL]], bundle);
    const expected = await inPostgres(
      `select event_name, date_trunc('day', event_time), count(*) from usage_events where org = '${app.org}'
        and customer_key in (select customer_key from invoices) group by 1, 2`,
    );
    expect(expected.length).toBeGreaterThan(1);
    expect(usage!.map((row) => row.map(plain)).sort()).toEqual(expected.map((row) => row.map(plain)).sort());
  });

  it('psql answers each question as the guide writes it, as the reader', async () => {
    if (spawnSync('psql', ['--version']).error) {
      if (process.env['CI']) throw new Error(PSQL_IS_MISSING);
      process.stderr.write(`${PSQL_IS_MISSING}\n`);
      return;
    }
    const script = [`\\set org '${app.org}'`, ...QUESTIONS.map(({ sql }) => `${sql};`)].join('\n');
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-c', 'psql --no-psqlrc --csv --tuples-only --set ON_ERROR_STOP=1 "$URL" <<< "$SCRIPT"'],
      {
        env: {
          ...process.env,
          URL: app.databaseUrl,
          SCRIPT: script,
          PGOPTIONS: '-c role=recount_reader -c timezone=UTC',
        },
      },
    );
    let rows = 0;
    for (const { sql } of QUESTIONS) rows += (await inPostgres(ofOrg(sql))).length;
    expect(stdout.trim().split('\n')).toHaveLength(rows);
  });
});

/** One text for one value: `2026-01-01 00:00:00` is a date where the tool makes a timestamp of a month, `1.50` is 1.5. */
function plain(value: string | null): string | null {
  if (value === null) return null;
  if (/^-?\d+(\.\d+)?(e-?\d+)?$/i.test(value)) return String(Number(value));
  return value.replace(/ 00:00:00(\+00)?$/, '');
}
