import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';

export type CheckpointCause = 'schedule' | 'billing' | 'request';

export interface KeptCheckpoint {
  readonly org: Uuid;
  readonly number: string;
  readonly id: Uuid;
  readonly size: string;
  readonly root: Buffer;
  /** The note as it was signed, without cosignatures. */
  readonly note: string;
  /** Signature lines of witnesses, in the order in which they were added. */
  readonly cosignatures: readonly string[];
  readonly cause: CheckpointCause;
  readonly made_at: Instant;
}

/** The columns of a checkpoint `c`. */
export const CHECKPOINT = `c.*, array(select s.line from transparency_cosignatures s
  where s.org = c.org and s.number = c.number order by s.place) as cosignatures`;

/** The note of a checkpoint with its cosignatures. */
export const cosignedNote = ({ note, cosignatures }: Pick<KeptCheckpoint, 'note' | 'cosignatures'>): string =>
  note + cosignatures.join('');
