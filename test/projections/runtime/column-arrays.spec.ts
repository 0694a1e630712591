import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { columnArrays } from '../../../projections/runtime/projection-rows.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

const COLUMNS = [
  { name: 'said', type: 'text' },
  { name: 'amount', type: 'numeric' },
  { name: 'places', type: 'integer' },
  { name: 'open', type: 'boolean' },
  { name: 'order', type: 'jsonb' },
];

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('\\', '"', "'", '{', '}', ',', '\n', '\t', '\b', '\u001f', ' ', 'u', 'n', 'ż'),
  }),
  fc.constantFrom('', 'null', 'NULL', '{}', '\\u0041', '\u007f', '\u2028', '😀'),
);
const storable = text.filter((said) => !said.includes('\0'));
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    storable,
    fc.integer(),
    fc.boolean(),
    fc.array(fc.option(tie('value'))),
    fc
      .dictionary(storable, tie('value'), { noNullPrototype: true })
      .filter((it) => !Object.hasOwn(it, '__proto__')),
  ),
})).value;

const row = fc.record({
  said: fc.option(storable),
  amount: fc.option(fc.bigInt().map(String)),
  places: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  open: fc.option(fc.boolean()),
  order: fc.option(json),
});

describe('rows on their way into a statement', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const arrive = async (rows: readonly Record<string, unknown>[]) => {
    const { relation, values } = columnArrays(COLUMNS, pg.escapeIdentifier);
    const statement = `select said, amount, places, open, given."order" from ${relation(1)} order by given."#"`;
    return (await database.pool.query<Record<string, unknown>>(statement, values(rows))).rows;
  };

  it('arrive as they are, in their order, whatever is in them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
        expect(await arrive(rows)).toEqual(rows);
      }),
      { numRuns: 200 },
    );
  });

  it('have null where nothing is said', async () => {
    const [empty] = await arrive([{}]);
    expect(empty).toEqual({ said: null, amount: null, places: null, open: null, order: null });
  });
});
