import { fromBase64, toBase64 } from './bytes.js';
import { parseCount, parseHash } from './checkpoint.js';
import { MalformedText } from './note.js';

const HEADER = 'c2sp.org/tlog-proof@v1';
/** Longest path: a tree of 2^63 leaves has this many levels. */
const MAX_HASHES = 63;

/** Inclusion proof that can be verified offline (C2SP tlog-proof). */
export interface ProofText {
  /** Opaque bytes that no signature covers. */
  readonly extra?: Uint8Array | undefined;
  /** Index of the leaf. */
  readonly index: number;
  /** Path from the leaf's sibling up. */
  readonly hashes: readonly Uint8Array[];
  /** Signed note of the checkpoint, byte by byte. */
  readonly checkpoint: string;
}

export function formatProof({ extra, index, hashes, checkpoint }: ProofText): string {
  const lines = [
    HEADER,
    ...(extra ? [`extra ${toBase64(extra)}`] : []),
    `index ${index}`,
    ...hashes.map(toBase64),
  ];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}

/** @throws MalformedText */
export function parseProof(text: string): ProofText {
  const border = text.indexOf('\n\n');
  if (border < 0) throw new MalformedText('a proof has an empty line before its checkpoint');
  const [header, ...lines] = text.slice(0, border).split('\n');
  if (header !== HEADER) throw new MalformedText(`the first line of a proof is ${HEADER}`);
  const extra = lines[0]?.startsWith('extra ') ? fromBase64(lines.shift()!.slice('extra '.length)) : null;
  if (extra === undefined) throw new MalformedText('the extra data of a proof are base64');
  const index = lines.shift() ?? '';
  if (!index.startsWith('index ')) throw new MalformedText('a proof names the index of its leaf');
  if (lines.length > MAX_HASHES) throw new MalformedText(`a proof has at most ${MAX_HASHES} hashes`);
  const hashes = lines.map((line) => {
    const hash = parseHash(line);
    if (!hash) throw new MalformedText('a hash of a proof is 32 bytes in base64');
    return hash;
  });
  return {
    ...(extra && { extra }),
    index: parseCount(index.slice('index '.length), 'the index of a proof'),
    hashes,
    checkpoint: text.slice(border + 2),
  };
}
