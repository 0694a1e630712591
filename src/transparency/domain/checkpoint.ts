import { fromBase64, toBase64 } from './bytes.js';
import { HASH_BYTES } from './merkle.js';
import { MalformedText } from './note.js';

/** Tree head of one organization (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** Origin of the log: `{name}/{organization}`. */
  readonly origin: string;
  /** Number of leaves. */
  readonly size: number;
  readonly root: Uint8Array;
}

/** Text that is signed. */
export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`;

/**
 * Reads the text of a note; ignores lines after the third, which are extensions.
 * @throws MalformedText
 */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin, size, root, ...rest] = text.split('\n');
  if (!origin) throw new MalformedText('the first line of a checkpoint is the origin of its log');
  const hash = parseHash(root ?? '');
  if (!hash) throw new MalformedText('the third line of a checkpoint is a root hash in base64');
  if (rest.pop() !== '' || rest.includes('')) {
    throw new MalformedText('a checkpoint has no empty line and ends with a newline');
  }
  return { origin, size: parseCount(size ?? '', 'the second line of a checkpoint'), root: hash };
}

/** @throws MalformedText */
export function parseCount(text: string, what: string): number {
  const count = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(count)) throw new MalformedText(`${what} is a decimal number below 2^53`);
  return count;
}

/** Reads a hash in base64; undefined for any other text. */
export function parseHash(text: string): Uint8Array | undefined {
  const hash = fromBase64(text);
  return hash?.length === HASH_BYTES ? hash : undefined;
}
