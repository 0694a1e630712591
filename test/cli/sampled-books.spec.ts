import { expect, it } from '@jest/globals';
import { keptBooks } from '../books/books.js';
import { openedBooks } from '../books/opened-books.js';
import { recount } from '../support/recount.js';

/** Of all customers there is time in test/long. */
const ONE_IN = 15;

it.each(keptBooks())('invoices of some customers in the books that policy %s wrote verify', async (name) => {
  const app = await openedBooks(name, ONE_IN);
  try {
    const { rows } = await app.pool.query<{ number: string }>(
      'select invoice_number as number from invoices',
    );
    const { lines, isWell } = await recount(app, 'verify', ...rows.map(({ number }) => number));
    expect(lines).toEqual([
      expect.stringMatching(/^\d{2,} invoices computed again in \S+ s: all as issued$/),
    ]);
    expect(isWell).toBe(true);
  } finally {
    await app.stop();
  }
});
