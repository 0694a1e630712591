import { expect, it } from '@jest/globals';
import { StreamReads } from '../../../src/platform/eventsourcing/store/postgres/stream-reads.js';

const ONE_PAGE = 500;
const PAGES = 20;
const OF_EACH = 50;

/** Rows that count how many of them are parsed before the event loop turns. */
function countedRows(count: number, indexOf: (row: number) => number) {
  let [inTurn, most] = [0, 0];
  const rows = Array.from({ length: count }, (_, row) => ({
    ...{ index: indexOf(row), stream: 's', revision: String(row), position: String(row), id: 'i', type: 'T' },
    ...{ metadata: {}, fetched: String(Math.min(count, OF_EACH)) },
    get data() {
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      most = Math.max(most, (inTurn += 1));
      return '{}';
    },
  }));
  return { query: async () => rows as never[], mostInTurn: () => most };
}

it('a long page is parsed in many turns of the event loop', async () => {
  const { query, mostInTurn } = countedRows(ONE_PAGE, () => 0);
  const { events } = await new StreamReads(query).forwards('s', 0n, ONE_PAGE);
  expect(events).toHaveLength(ONE_PAGE);
  expect(mostInTurn()).toBeLessThanOrEqual(100);
});

it('the pages of one statement are parsed in many turns of the event loop', async () => {
  const { query, mostInTurn } = countedRows(PAGES * OF_EACH, (row) => Math.floor(row / OF_EACH));
  const reads = new StreamReads(query);
  const pages = await Promise.all(
    Array.from({ length: PAGES }, (_, stream) => reads.forwards(`s-${stream}`, 0n, ONE_PAGE)),
  );
  expect(pages.map(({ events }) => events.length)).toEqual(Array(PAGES).fill(OF_EACH));
  expect(mostInTurn()).toBeLessThanOrEqual(100);
});
