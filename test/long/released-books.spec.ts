import { expect, it } from '@jest/globals';
import { keptBooks } from '../books/books.js';
import { openedBooks } from '../books/opened-books.js';
import { recount } from '../support/recount.js';

it.each(keptBooks())('every invoice of the books that policy %s wrote verifies', async (name) => {
  const app = await openedBooks(name);
  const { lines, isWell } = await recount(app, 'verify', '--all');
  await app.stop();
  expect(lines).toEqual([
    expect.stringMatching(/^\d{3,} invoices computed again in \S+ s: all as issued$/),
    expect.stringMatching(/^numbers of \d+ days: without gap or repeat, as they were assigned$/),
  ]);
  expect(isWell).toBe(true);
});
