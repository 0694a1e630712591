import { toBase64 } from './bytes.js';
import { parseCount } from './checkpoint.js';
import { MalformedText } from './note.js';

interface AddCheckpoint {
  /** Size of the tree that the witness cosigned last; 0 before the first. */
  readonly oldSize: number;
  /** Proof that the checkpoint continues the tree of that size. */
  readonly proof: readonly Uint8Array[];
  /** The signed note of the checkpoint. */
  readonly note: string;
}

/** Body of a request for a cosignature (C2SP tlog-witness). */
export const formatAddCheckpoint = ({ oldSize, proof, note }: AddCheckpoint): string =>
  `old ${oldSize}\n${proof.map((hash) => `${toBase64(hash)}\n`).join('')}\n${note}`;

/**
 * Reads the size that a witness cosigned last from its answer 409.
 * @throws MalformedText
 */
export function parseCosignedSize(body: string): number {
  if (!body.endsWith('\n')) throw new MalformedText('the size that a witness answers ends with a newline');
  return parseCount(body.slice(0, -1), 'the size that a witness answers');
}
