import { formatInstant, fromMicros, SECOND } from '../../kernel/instant.js';
import type { Sha256 } from './merkle.js';
import {
  COSIGNATURE,
  cosignedAt,
  formatSignature,
  MalformedText,
  parseNote,
  parseVerifierKey,
  signaturesBy,
  type Note,
  type NoteKey,
  type VerifyEd25519,
} from './note.js';

/**
 * Statement of a witness: at this time it knew no larger tree of the log, and this one continues all that it
 * knew.
 */
export interface Cosignature {
  /** Name of the witness's key. */
  readonly witness: string;
  /** Eight hexadecimal digits. */
  readonly keyId: string;
  /** Time of the witness, in seconds since 1970. */
  readonly time: number;
  /** The signature line of the note, with the newline at its end. */
  readonly line: string;
}

/** Last second of the year 9999: later times cannot be shown. */
const LAST_TIME = 253_402_300_799n;

/**
 * Reads the key of a witness.
 * @throws MalformedText for a key of another kind
 */
export function parseWitnessKey(sha256: Sha256, text: string): NoteKey {
  const key = parseVerifierKey(sha256, text);
  if (key.type === COSIGNATURE) return key;
  throw new MalformedText(`the key ${key.name} is not that of a witness, which has the type 4`);
}

/**
 * Reads the cosignature of a witness below a note; undefined without one.
 * @throws MalformedText for a wrong one
 */
export function cosignatureBy(note: Note, key: NoteKey, verify: VerifyEd25519): Cosignature | undefined {
  if (signaturesBy(note, [key], verify).length === 0) return undefined;
  return cosignaturesIn(
    note.signatures.filter(({ name, keyId }) => name === key.name && keyId === key.id),
  )[0];
}

/**
 * Reads the cosignatures of lines that were verified before.
 * @throws MalformedText
 */
export const cosignaturesOf = (text: string, lines: string): Cosignature[] =>
  lines === '' ? [] : cosignaturesIn(parseNote(`${text}\n${lines}`).signatures);

/** Tells whether a text is the signature line of one cosignature, whoever signed it. */
export function isCosignature(line: string): boolean {
  try {
    const [first] = cosignaturesOf('-\n', line);
    return first?.line === line;
  } catch (error) {
    if (error instanceof MalformedText) return false;
    throw error;
  }
}

/** Writes the time of a cosignature as ISO 8601. */
export const shownTime = ({ time }: Cosignature): string => formatInstant(fromMicros(BigInt(time) * SECOND));

const cosignaturesIn = (signatures: Note['signatures']): Cosignature[] =>
  signatures.map((signature) => {
    const { name: witness, keyId, signature: bytes } = signature;
    const time = cosignedAt(bytes) ?? 0n;
    if (time === 0n || time > LAST_TIME) {
      throw new MalformedText(`the cosignature of ${witness} has the time ${time}, which is none`);
    }
    return { witness, keyId, time: Number(time), line: formatSignature(signature) };
  });
