import { describe, expect, it } from '@jest/globals';
import { toCsv } from '../../../console/src/shared/csv.js';
import { formatSort, nextSort, parseSort, sortRows } from '../../../console/src/shared/sort.js';

describe('an exported table', () => {
  it('quotes what would break a row, and keeps numbers as they are', () => {
    expect(toCsv([['a,b', 'say "hi"', 'two\nlines', -1.5, null]])).toBe(
      '"a,b","say ""hi""","two\nlines",-1.5,\r\n',
    );
  });

  it('holds no text that a spreadsheet would run', () => {
    expect(toCsv([['=1+1', '+1', '-1', '@x', 'plain']])).toBe("'=1+1,'+1,'-1,'@x,plain\r\n");
  });
});

describe('sorting a table', () => {
  const columns = [{ id: 'name', value: (row: { name: string | null }) => row.name }];
  const names = (...all: (string | null)[]) => all.map((name) => ({ name }));

  it('has rows without a value last, in both directions', () => {
    const rows = names('b', null, 'a');
    expect(sortRows(rows, columns, parseSort('name'))).toEqual(names('a', 'b', null));
    expect(sortRows(rows, columns, parseSort('-name'))).toEqual(names('b', 'a', null));
  });

  it('knows that 10 comes after 9 in a text', () => {
    expect(sortRows(names('v10', 'v9'), columns, parseSort('name'))).toEqual(names('v9', 'v10'));
  });

  it('keeps amounts of different currencies apart', () => {
    const row = (amount: number, currency: string) => ({ amount, currency });
    const amounts = [
      {
        id: 'amount',
        value: (one: ReturnType<typeof row>) => one.amount,
        group: (one: ReturnType<typeof row>) => one.currency,
      },
    ];
    const rows = [row(5, 'USD'), row(900, 'JPY'), row(7, 'USD')];
    expect(sortRows(rows, amounts, parseSort('-amount'))).toEqual([
      row(900, 'JPY'),
      row(7, 'USD'),
      row(5, 'USD'),
    ]);
  });

  it('goes from ascending to descending to none, and is read back from the address', () => {
    const up = nextSort(undefined, 'name');
    const down = nextSort(up, 'name');
    expect([up, down].map(formatSort)).toEqual(['name', '-name']);
    expect(parseSort(formatSort(down))).toEqual(down);
    expect(nextSort(down, 'name')).toBeUndefined();
  });
});
