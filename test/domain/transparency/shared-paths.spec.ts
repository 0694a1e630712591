import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inclusionRanges, rootOf, type LeafRange } from '../../../src/transparency/domain/merkle.js';
import { SharedPathChecker, SharedPaths } from '../../../src/transparency/domain/shared-paths.js';
import { hashes } from '../../support/transparency.js';

const treeOf = (size: number): Uint8Array[] =>
  Array.from({ length: size }, (_, index) => hashes.leaf(Buffer.from(String(index))));
const rangeHash = (tree: readonly Uint8Array[], { begin, end }: LeafRange): Uint8Array =>
  rootOf(hashes, tree.slice(begin, end));

const someLeaves = fc.integer({ min: 1, max: 300 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    leaves: fc.array(fc.nat(size - 1), { minLength: 1, maxLength: 40 }),
  }),
);

describe('shared paths', () => {
  it('prove every leaf beside the earlier ones, with no more hashes than whole paths', () => {
    fc.assert(
      fc.property(someLeaves, ({ size, leaves }) => {
        const tree = treeOf(size);
        const paths = new SharedPaths(size);
        const checker = new SharedPathChecker(hashes, size, rootOf(hashes, tree));
        for (const leaf of leaves) {
          const ranges = paths.rangesOf(leaf);
          expect(ranges.length).toBeLessThanOrEqual(inclusionRanges(leaf, size).length);
          const path = ranges.map((range) => rangeHash(tree, range));
          expect(checker.proves(leaf, tree[leaf]!, path)).toBe(true);
        }
      }),
    );
  });

  it('prove no other leaf, place or hash', () => {
    fc.assert(
      fc.property(someLeaves, fc.nat(), ({ size, leaves }, which) => {
        const tree = treeOf(size);
        const paths = new SharedPaths(size);
        const checker = new SharedPathChecker(hashes, size, rootOf(hashes, tree));
        for (const leaf of leaves) {
          const path = paths.rangesOf(leaf).map((range) => rangeHash(tree, range));
          const other = hashes.leaf(Buffer.from('other'));
          expect(checker.proves(leaf, other, path)).toBe(false);
          expect(checker.proves(leaf, tree[leaf]!, [...path, other])).toBe(false);
          expect(checker.proves(size + leaf, tree[leaf]!, path)).toBe(false);
          expect(checker.proves((leaf + 1) % size, tree[leaf]!, path)).toBe(size === 1);
          if (path.length > 0) {
            expect(checker.proves(leaf, tree[leaf]!, path.slice(1))).toBe(false);
            const changed = path.with(which % path.length, other);
            expect(checker.proves(leaf, tree[leaf]!, changed)).toBe(false);
          }
          expect(checker.proves(leaf, tree[leaf]!, path)).toBe(true);
        }
      }),
    );
  });

  it('know leaves that were the siblings of earlier ones', () => {
    const paths = new SharedPaths(8);
    expect(paths.rangesOf(2)).toHaveLength(3);
    expect(paths.rangesOf(3)).toEqual([]);
    expect(paths.rangesOf(0)).toEqual([{ begin: 1, end: 2 }]);
    expect(paths.rangesOf(2)).toEqual([]);
  });

  it('prove leaves that come in order with few hashes held, whatever was proven before', () => {
    fc.assert(
      fc.property(someLeaves, fc.nat(40), ({ size, leaves }, cut) => {
        const tree = treeOf(size);
        const [paths, whole] = [new SharedPaths(size), new SharedPaths(size)];
        const checker = new SharedPathChecker(hashes, size, rootOf(hashes, tree));
        const prove = (leaf: number): boolean => {
          const ranges = paths.rangesOf(leaf);
          expect(ranges).toEqual(whole.rangesOf(leaf));
          return checker.proves(
            leaf,
            tree[leaf]!,
            ranges.map((range) => rangeHash(tree, range)),
          );
        };
        for (const leaf of leaves.slice(0, cut)) expect(prove(leaf)).toBe(true);
        const before = { checker: checker.held, paths: paths.held };
        checker.expectAscending();
        paths.expectAscending();
        const ascending = [...new Set(leaves.slice(cut))].sort((a, b) => a - b);
        for (const leaf of ascending) {
          expect(prove(leaf)).toBe(true);
          const most = 2 * Math.ceil(Math.log2(size));
          expect(checker.held - before.checker).toBeLessThanOrEqual(most);
          expect(paths.held - before.paths).toBeLessThanOrEqual(most);
        }
        for (const leaf of ascending) {
          expect(checker.proves(leaf, tree[leaf]!, [])).toBe(false);
          expect(() => paths.rangesOf(leaf)).toThrow(RangeError);
        }
      }),
    );
  });
});
