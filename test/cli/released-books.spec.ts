import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { storedBooks } from '../books/books.js';
import { startOnBooks } from '../books/opened-books.js';
import type { TestApp } from '../support/app.js';
import { recount } from '../support/recount.js';

/** One of this many invoices is verified here; test/long verifies all of them. */
const ONE_IN = 6;

/** Tests that the current release reproduces the invoices of earlier ones, byte for byte. `npm run books` writes the books. */
describe.each(storedBooks())('the books that policy %s wrote', (name) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startOnBooks(name);
  });
  afterAll(() => app.stop());

  it('verify, invoice by invoice', async () => {
    const { rows } = await app.pool.query<{ number: string }>(
      `select invoice_number as number from (
         select invoice_number, row_number() over (order by invoice_number) as place from invoices
         where invoice_number is not null
       ) numbered where place % $1 = 0`,
      [ONE_IN],
    );
    const { lines, isWell } = await recount(app, 'verify', ...rows.map(({ number }) => number));
    expect(lines).toEqual([
      expect.stringMatching(/^\d{2,} invoices computed again in \S+ s: all as issued$/),
    ]);
    expect(isWell).toBe(true);
  });
});
