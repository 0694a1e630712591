import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  consistencyRanges,
  foldNodes,
  GrowingTree,
  inclusionRanges,
  nodesOf,
  rootOf,
  type LeafRange,
} from '../../../src/transparency/domain/merkle.js';
import { isConsistent, isIncluded, leadsToRoot } from '../../../src/transparency/domain/verify-proof.js';
import { hashes } from '../../support/transparency.js';

/** Inputs and roots of github.com/transparency-dev/merkle, testonly/constants.go, which follow RFC 6962. */
const INPUTS = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const leaves = INPUTS.map((hex) => hashes.leaf(Buffer.from(hex, 'hex')));
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

interface Vector {
  readonly desc: string;
  readonly proof: string[] | null;
  readonly wantErr: boolean;
}
interface InclusionVector extends Vector {
  readonly kind: 'inclusion';
  readonly leafIdx: number;
  readonly treeSize: number;
  readonly root: string | null;
  readonly leafHash: string | null;
}
interface ConsistencyVector extends Vector {
  readonly kind: 'consistency';
  readonly size1: number;
  readonly size2: number;
  readonly root1: string | null;
  readonly root2: string | null;
}
/** Valid and invalid proofs in testdata/ of github.com/transparency-dev/merkle. */
const vectors = readFileSync(
  new URL('../../fixtures/transparency/merkle-proofs.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as InclusionVector | ConsistencyVector);
const bytes = (base64: string | null) => Buffer.from(base64 ?? '', 'base64');

/** Returns a tree of this size in memory: its leaf hashes, and proofs from its complete subtrees. */
function treeOf(size: number) {
  const all = Array.from({ length: size }, (_, index) => hashes.leaf(Buffer.from(`leaf ${index}`)));
  const hashOf = (range: LeafRange) =>
    foldNodes(
      hashes,
      nodesOf(range).map(({ level, index }) =>
        rootOf(hashes, all.slice(index * 2 ** level, (index + 1) * 2 ** level)),
      ),
    );
  return { leaf: (index: number) => all[index]!, hashOf, root: (end: number) => hashOf({ begin: 0, end }) };
}
const SIZES = fc.integer({ min: 1, max: 300 });

describe('a Merkle tree', () => {
  it('has the published roots', () => {
    expect(ROOTS.map((_, size) => hex(rootOf(hashes, leaves.slice(0, size))))).toEqual(ROOTS);
  });

  it('holds one hash for each bit of its size, so that memory grows with its logarithm', () => {
    const growing = new GrowingTree(hashes);
    for (let size = 1; size <= 5_000; size++) {
      growing.append(hashes.empty);
      expect(growing.frontier()).toHaveLength([...size.toString(2)].filter((bit) => bit === '1').length);
    }
  });

  it('continues from its frontier as it would have without a pause', () => {
    fc.assert(
      fc.property(SIZES, SIZES, (first, more) => {
        const tree = treeOf(first + more);
        const frontier = nodesOf({ begin: 0, end: first }).map(({ level, index }) =>
          tree.hashOf({ begin: index * 2 ** level, end: (index + 1) * 2 ** level }),
        );
        const growing = new GrowingTree(hashes, first, frontier);
        for (let index = first; index < first + more; index++) growing.append(tree.leaf(index));
        expect([growing.size, hex(growing.root())]).toEqual([first + more, hex(tree.root(first + more))]);
      }),
      { numRuns: 20 },
    );
  });
});

describe('a proof', () => {
  it.each(vectors.filter((vector) => vector.kind === 'inclusion'))(
    'of $desc is judged as published',
    (vector) => {
      const { leafIdx: leaf, treeSize: size, proof } = vector;
      const [root, leafHash] = [bytes(vector.root), bytes(vector.leafHash)];
      const verdict = isIncluded(hashes, { leaf, size, root, leafHash, proof: (proof ?? []).map(bytes) });
      expect(verdict).toBe(!vector.wantErr);
    },
  );

  it.each(vectors.filter((vector) => vector.kind === 'consistency'))(
    'of $desc is judged as published',
    (vector) => {
      const { size1: from, size2: to, proof } = vector;
      const [fromRoot, toRoot] = [bytes(vector.root1), bytes(vector.root2)];
      const verdict = isConsistent(hashes, { from, to, fromRoot, toRoot, proof: (proof ?? []).map(bytes) });
      expect(verdict).toBe(!vector.wantErr);
    },
  );

  it('shows nothing where one of its hashes is missing, also right after one that has it', () => {
    const tree = treeOf(3);
    const [pair, root] = [tree.root(2), tree.root(3)];
    const whole = { leaf: 0, size: 2, leafHash: tree.leaf(0), root: pair };
    const continued = { from: 2, to: 3, fromRoot: pair, toRoot: root };
    for (const { given, isProof } of [
      { given: (hash: Uint8Array) => hash, isProof: true },
      { given: () => new Uint8Array(), isProof: false },
      { given: (hash: Uint8Array) => hash.subarray(1), isProof: false },
    ]) {
      expect(isIncluded(hashes, { ...whole, proof: [given(tree.leaf(1))] })).toBe(isProof);
      expect(isConsistent(hashes, { ...continued, proof: [given(tree.leaf(2))] })).toBe(isProof);
      expect(leadsToRoot(hashes, { ...continued, proof: [given(tree.leaf(2))] })).toBe(isProof);
    }
  });

  it('shows every leaf in every tree, and no other leaf', () => {
    fc.assert(
      fc.property(SIZES, fc.nat(), (size, any) => {
        const [tree, leaf] = [treeOf(size), any % size];
        const proof = inclusionRanges(leaf, size).map(tree.hashOf);
        const root = tree.root(size);
        expect(isIncluded(hashes, { leaf, size, leafHash: tree.leaf(leaf), root, proof })).toBe(true);
        const leafHash = hashes.leaf(Buffer.from('another'));
        expect(isIncluded(hashes, { leaf, size, leafHash, root, proof })).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  it('shows that every tree continues every smaller one, and no other', () => {
    fc.assert(
      fc.property(SIZES, fc.nat(), (to, any) => {
        const [tree, from] = [treeOf(to), 1 + (any % to)];
        const proof = consistencyRanges(from, to).map(tree.hashOf);
        const [fromRoot, toRoot] = [tree.root(from), tree.root(to)];
        expect(isConsistent(hashes, { from, to, fromRoot, toRoot, proof })).toBe(true);
        const other = hashes.leaf(Buffer.from('another'));
        expect(isConsistent(hashes, { from, to, fromRoot: other, toRoot, proof })).toBe(false);
      }),
      { numRuns: 30 },
    );
  });
});
