import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { isCosignature } from './domain/cosignature.js';

export type CheckpointCause = 'schedule' | 'billing' | 'request';

export interface SignedCheckpoint {
  readonly org: Uuid;
  readonly number: string;
  readonly id: Uuid;
  readonly size: string;
  readonly root: Buffer;
  /** Note as it was signed, without cosignatures. */
  readonly note: string;
  /** Signature lines of witnesses, in the order in which they were added. */
  readonly cosignatures: readonly string[];
  readonly cause: CheckpointCause;
  readonly made_at: Instant;
}

/** Columns of a checkpoint `c`. */
export const CHECKPOINT_COLUMNS = `c.*, array(select s.line from transparency_cosignatures s
  where s.org = c.org and s.number = c.number order by s.place) as cosignatures`;

type Cosigned = Pick<SignedCheckpoint, 'note' | 'cosignatures'>;

/** Joins the cosignatures of a checkpoint. A row that holds none is left out: with it nobody could read the note. */
export const cosignatureLines = ({ cosignatures }: Pick<Cosigned, 'cosignatures'>): string =>
  cosignatures.filter(isCosignature).join('');

/** Returns the note of a checkpoint with its cosignatures. */
export const cosignedNote = (kept: Cosigned): string => kept.note + cosignatureLines(kept);

/** Returns the files of a checkpoint: as it was signed, and with its cosignatures. */
export function filesOf(
  kept: SignedCheckpoint,
): { readonly name: string; readonly text: string; readonly cosignatures: number }[] {
  const name = kept.number.padStart(12, '0');
  const count = kept.cosignatures.length;
  return [
    { name: `${name}.checkpoint`, text: kept.note, cosignatures: 0 },
    ...(count === 0
      ? []
      : [{ name: `${name}-${count}.checkpoint`, text: cosignedNote(kept), cosignatures: count }]),
  ];
}
