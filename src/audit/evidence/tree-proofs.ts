import { Injectable } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { Checkpoints } from '../../transparency/checkpoints.js';
import { toBase64 } from '../../transparency/domain/bytes.js';
import { TreeReader } from '../../transparency/tree-reader.js';

/** The checkpoint that the proofs of a bundle lead to. */
export interface ProvenBy {
  /** The signed note. */
  readonly note: string;
  readonly size: number;
}

/** Earlier checkpoints that a bundle proves to be continued: a week of hourly ones. */
const MOST_EARLIER = 200;

/** Reads the proofs of a bundle's events and batches from the tree of their organization. */
@Injectable()
export class TreeProofs {
  constructor(
    private readonly checkpoints: Checkpoints,
    private readonly tree: TreeReader,
  ) {}

  /** The newest checkpoint; undefined while there is none. */
  async newest(org: Uuid): Promise<ProvenBy | undefined> {
    const kept = await this.checkpoints.newest(org);
    return kept && { note: kept.note, size: Number(kept.size) };
  }

  /** Lines of `proofs.jsonl`, without the events that came after the checkpoint. */
  async *ofEvents(org: Uuid, events: readonly RecordedEvent[], { size }: ProvenBy): AsyncGenerator<object> {
    const leaves = await this.tree.leavesOfEvents(org, events);
    const proven = events.flatMap(({ stream, revision }, at) => {
      const index = leaves[at];
      return index === undefined || index >= size ? [] : [{ index, stream, revision: Number(revision) }];
    });
    const proofs = await this.tree.inclusions(
      org,
      proven.map(({ index }) => index),
      size,
    );
    for (const [at, event] of proven.entries()) yield { hashes: proofs[at]!.map(toBase64), ...event };
  }

  /** A line of `proofs.jsonl`; undefined for a batch that was sealed after the checkpoint. */
  async ofBatch(org: Uuid, batch: number, { size }: ProvenBy): Promise<object | undefined> {
    const index = await this.tree.leafOfBatch(org, batch);
    if (index === undefined || index >= size) return undefined;
    return { batch, hashes: await this.path(org, index, size), index };
  }

  /** Lines of `consistency.jsonl`: the tree continues those of the checkpoints before it. */
  async *continued(org: Uuid, { size }: ProvenBy): AsyncGenerator<object> {
    const sizes = await this.checkpoints.sizesBefore(org, size, MOST_EARLIER);
    const proofs = await this.tree.consistencies(org, sizes, size);
    for (const [index, hashes] of proofs.entries()) {
      yield { hashes: hashes.map(toBase64), size: sizes[index]! };
    }
  }

  private async path(org: Uuid, index: number, size: number): Promise<string[]> {
    return (await this.tree.inclusion(org, index, size)).map(toBase64);
  }
}
