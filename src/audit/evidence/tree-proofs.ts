import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { cosignedNote, type SignedCheckpoint } from '../../transparency/checkpoint-rows.js';
import { SignedCheckpoints } from '../../transparency/signed-checkpoints.js';
import { isEqual, toBase64 } from '../../transparency/domain/bytes.js';
import type { LeafRange } from '../../transparency/domain/merkle.js';
import { SharedPaths } from '../../transparency/domain/shared-paths.js';
import { TileTooShort } from '../../transparency/domain/tiles.js';
import { TreeReader } from '../../transparency/tree-reader.js';

/** Checkpoint of the proofs of a bundle. */
export interface ProvenBy {
  /** Number of the checkpoint in the organization: 1, 2, 3 … */
  readonly number: number;
  /** The signed note with its cosignatures. */
  readonly note: string;
  /** Number of cosignatures. */
  readonly cosignatures: number;
  readonly size: number;
}

/** Earlier checkpoints that every bundle proves to be continued: a week of hourly ones. */
const MAX_EARLIER_CHECKPOINTS = 200;

/** Number of proofs read from the tree at once. */
const AT_ONCE = 500;

/** Event of a bundle, without its content. */
export type BundledEvent = Pick<RecordedEvent, 'stream' | 'revision' | 'position'>;

/** Reads the proofs of a bundle's events and batches from the tree of their organization. */
@Injectable()
export class TreeProofs {
  constructor(
    private readonly checkpoints: SignedCheckpoints,
    private readonly tree: TreeReader,
  ) {}

  /**
   * Returns the newest checkpoint; undefined without one.
   * @throws DomainError `unavailable` when the tiles do not give its root: proofs would be refused
   */
  async newest(org: Uuid): Promise<ProvenBy | undefined> {
    const kept = await this.checkpoints.newest(org);
    if (kept && !(await this.hasRoot(kept))) throw new DomainError('unavailable', TILES_CHANGED);
    return kept && provenBy(kept);
  }

  private async hasRoot({ org, size, root }: SignedCheckpoint): Promise<boolean> {
    try {
      return isEqual(await this.tree.root(org, Number(size)), root);
    } catch (error) {
      if (error instanceof TileTooShort) return false;
      throw error;
    }
  }

  /** Returns a checkpoint with its first cosignatures; undefined for an unknown number. */
  async checkpoint(org: Uuid, number: number, cosignatures: number): Promise<ProvenBy | undefined> {
    const kept = await this.checkpoints.numbered(org, number);
    return kept && provenBy({ ...kept, cosignatures: kept.cosignatures.slice(0, cosignatures) });
  }

  /** Yields lines of a file of proofs; events and batches after the checkpoint have none. */
  async *lines(
    org: Uuid,
    { size }: ProvenBy,
    events: readonly BundledEvent[],
    batches: Iterable<readonly number[]> = [],
  ): AsyncGenerator<object> {
    const paths = new SharedPaths(size);
    for (const page of pagesOf(events)) {
      const leaves = await this.tree.leavesOfEvents(org, page);
      const named = page.map(({ stream, revision }) => ({ stream, revision: Number(revision) }));
      yield* this.provenLines(org, named, leaves, size, paths);
    }
    // Batches are leaves in the order of their numbers.
    paths.expectAscending();
    for (const numbers of batches) {
      for (const page of pagesOf(numbers)) {
        const leaves = await this.tree.leavesOfBatches(org, page);
        const named = page.map((batch) => ({ batch }));
        const found = page.map((number) => leaves.get(number));
        yield* this.provenLines(org, named, found, size, paths);
      }
    }
  }

  private async *provenLines(
    org: Uuid,
    named: readonly object[],
    leaves: readonly (number | undefined)[],
    size: number,
    paths: SharedPaths,
  ): AsyncGenerator<object> {
    const proven: { readonly name: object; readonly index: number; readonly ranges: LeafRange[] }[] = [];
    for (const [at, index] of leaves.entries()) {
      if (index === undefined || index >= size) continue;
      proven.push({ name: named[at]!, index, ranges: paths.rangesOf(index) });
    }
    const hashes = await this.tree.pathsOf(
      org,
      proven.map(({ ranges }) => ranges),
    );
    for (const [at, { name, index }] of proven.entries()) {
      yield { hashes: hashes[at]!.map(toBase64), index, ...name };
    }
  }

  /**
   * Lines of `consistency.jsonl`: the tree continues those of the checkpoints before it.
   * @param since a size besides, at most that of the tree
   */
  async *continued(org: Uuid, { size }: ProvenBy, since: number | undefined): AsyncGenerator<object> {
    const before = await this.checkpoints.sizesBefore(org, size, MAX_EARLIER_CHECKPOINTS);
    const isAbsent = since !== undefined && since > 0 && since < size && !before.includes(since);
    const sizes = isAbsent ? [...before, since].sort((a, b) => a - b) : before;
    const proofs = await this.tree.consistencies(org, sizes, size);
    for (const [index, hashes] of proofs.entries()) {
      yield { hashes: hashes.map(toBase64), size: sizes[index]! };
    }
  }
}

const TILES_CHANGED =
  'The stored tree does not have the root of its newest checkpoint, so a verifier would refuse its proofs. Build the trees anew (docs/operating.md#checkpoints).';

const provenBy = (kept: SignedCheckpoint): ProvenBy => ({
  number: Number(kept.number),
  note: cosignedNote(kept),
  cosignatures: kept.cosignatures.length,
  size: Number(kept.size),
});

function* pagesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE);
}
