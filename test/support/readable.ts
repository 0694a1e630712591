import type { Pool } from 'pg';

/** Finds a pattern anywhere in the database: in text, in bytes and in base64. */
export async function readableIn(pool: Pool, pattern: RegExp): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
    for (const { row } of rows) {
      for (const form of formsOf(row)) {
        const match = pattern.exec(form);
        if (match) found.push(`${name}: ${match[0]}`);
      }
    }
  }
  return found;
}

/** Returns a row's text, with its bytes and base64 decoded as further texts. */
export function formsOf(row: string): string[] {
  const bytes = [...row.matchAll(/\\+x([0-9a-f]{16,})/g)].map(([, hex]) =>
    Buffer.from(hex!, 'hex').toString('latin1'),
  );
  const encoded = [...row.matchAll(/[A-Za-z0-9+/_-]{16,}/g)].map(([text]) =>
    Buffer.from(text, 'base64').toString('latin1'),
  );
  return [row, ...bytes, ...encoded];
}
