import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Instant } from '../../../src/kernel/instant.js';
import { BatchTable } from '../../../verifier/batch-table.js';

const someBatches = fc.uniqueArray(
  fc.record({
    number: fc.integer({ min: 1, max: 30_000 }),
    bodyHashes: fc
      .integer({ min: 1, max: 3 })
      .chain((rows) => fc.uint8Array({ minLength: 32 * rows, maxLength: 32 * rows })),
    earliest: fc.integer({ min: 10, max: 28 }).map((day) => `2026-01-${day}T12:00:00.000001Z` as Instant),
  }),
  { selector: ({ number }) => number, maxLength: 60 },
);

describe('the usage batches of a bundle', () => {
  it('are found by their numbers, by every thread', () => {
    fc.assert(
      fc.property(someBatches, fc.integer({ min: 0, max: 5_000 }), (batches, more) => {
        const table = new BatchTable();
        const rest = Array.from({ length: more }, (_, index) => ({
          number: 30_001 + index,
          bodyHashes: Buffer.alloc(32, index),
          earliest: '2026-01-31T00:00:00.000000Z' as Instant,
        }));
        const all = [...batches.sort((a, b) => a.number - b.number), ...rest];
        for (const batch of all) table.add(batch);
        const shared = new BatchTable(structuredClone(table.pages()));
        const isFound = ({ number, bodyHashes, earliest }: (typeof all)[number]): boolean => {
          const found = shared.find(number);
          return found?.earliest === earliest && Buffer.compare(found.bodyHashes, bodyHashes) === 0;
        };
        expect(all.filter((batch) => !isFound(batch))).toEqual([]);
        const numbers = new Set(all.map(({ number }) => number));
        for (const number of [0, 1, 2, 30_000, 30_001 + more]) {
          expect(shared.find(number) !== undefined).toBe(numbers.has(number));
        }
      }),
      { numRuns: 20 },
    );
  });
});
