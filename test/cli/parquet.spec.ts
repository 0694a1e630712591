import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toWireId } from '../../src/kernel/ids.js';
import { Database } from '../../src/platform/database/open-database.js';
import { readCommand } from '../../src/cli/read-command.js';
import { print } from '../../src/cli/output.js';
import { startTestApp, type TestApp } from '../support/app.js';

const ROWS = 45_001;
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
  const { pool } = app.service.app.get(Database);
  await pool.query(`create view analytics.many as
    select '${app.org}'::uuid as org, n as number, n::bigint * 1000000007 as big, (n::numeric / 8 - 1000) as amount,
      n % 2 = 0 as is_even, case when n % 3 > 0 then 'text ' || n end as words,
      date '2026-01-01' + n % 400 as day, timestamptz '2026-01-01T00:00:00.000001Z' + n * interval '1 second' as at
    from generate_series(1, ${ROWS}) n`);
  await pool.query(
    `create view analytics.none as select '${app.org}'::uuid as org, 1.5 as amount where false`,
  );
});
afterAll(() => app.stop());

async function exported(view: string, isTerminal = false) {
  const invocation = await readCommand([
    'export',
    view,
    '--format',
    'parquet',
    '--organization',
    toWireId('org', app.org),
  ]);
  if ('help' in invocation) throw new Error('no command');
  const parts: Uint8Array[] = [];
  const write = (part: string | Uint8Array) => void parts.push(part as Uint8Array);
  await print(invocation.command(app.service.app), { write, isTerminal, note: undefined }, false);
  const bytes = Buffer.concat(parts);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  return { file, parts: parts.length };
}

describe('recount export --format parquet', () => {
  it('writes every row with its type, a row group at a time', async () => {
    const { file, parts } = await exported('many');
    expect(parts).toBe(4);
    const { row_groups: groups } = await parquetMetadataAsync(file);
    expect(groups.map((group) => Number(group.num_rows))).toEqual([20_000, 20_000, 5_001]);

    const rows = await parquetReadObjects({ file });
    expect(rows).toHaveLength(ROWS);
    const byNumber = new Map(rows.map((row) => [row['number'], row]));
    for (const n of [1, 6, 7_999, 45_001]) {
      expect(byNumber.get(n)).toEqual({
        org: app.org,
        number: n,
        big: BigInt(n) * 1_000_000_007n,
        amount: n / 8 - 1000,
        is_even: n % 2 === 0,
        words: n % 3 > 0 ? `text ${n}` : null,
        day: new Date(Date.UTC(2026, 0, 1 + (n % 400))),
        at: expect.anything(),
      });
    }
    const [first] = await parquetReadObjects({
      file,
      columns: ['at'],
      parsers: { timestampFromMicroseconds: (micros: bigint) => micros } as never,
    });
    expect(first!['at']).toBe(BigInt(Date.UTC(2026, 0, 1, 0, 0, 1)) * 1000n + 1n);
  });

  it('writes a file without rows where the view has none', async () => {
    const { file } = await exported('none');
    const { num_rows: count, schema } = await parquetMetadataAsync(file);
    expect({ count, names: schema.map(({ name }) => name) }).toEqual({
      count: 0n,
      names: ['root', 'org', 'amount'],
    });
  });

  it('refuses a number that its decimals cannot hold, instead of writing another one', async () => {
    const { pool } = app.service.app.get(Database);
    const most = '9'.repeat(26);
    await pool.query(
      `create view analytics.large as select '${app.org}'::uuid as org, n as quantity
        from (values (${most}.5), (-${most}.5)) as v (n)`,
    );
    const [row] = await parquetReadObjects({ file: (await exported('large')).file });
    expect(row!['quantity']).toBeCloseTo(1e26, -12);
    await pool.query(
      `create view analytics.too_large as select '${app.org}'::uuid as org, 1e26::numeric as quantity`,
    );
    await expect(exported('too_large')).rejects.toThrow('quantity');
  });

  it('keeps bytes from a terminal', async () => {
    await expect(exported('many', true)).rejects.toThrow('> FILE');
  });
});
