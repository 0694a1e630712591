import { concat, fromBase64, toBase64, toHex, utf8 } from './bytes.js';
import type { Sha256 } from './merkle.js';

/** Signature types of C2SP signed-note. */
const ED25519 = 1;
export const COSIGNATURE = 4;

const KEY_ID_BYTES = 4;
const PUBLIC_KEY_BYTES = 32;
const LONGEST_NOTE = 1_000_000;
const MAX_SIGNATURES = 100;

/** Public key under a name. */
export interface NoteKey {
  readonly name: string;
  /** Eight hexadecimal digits. */
  readonly id: string;
  readonly type: number;
  readonly publicKey: Uint8Array;
}

export interface NoteSignature {
  readonly name: string;
  readonly keyId: string;
  readonly signature: Uint8Array;
}

export interface Note {
  /** Signed text, with the newline at its end. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** The text is not a signed note, key or proof of the format. The message names the wrong part. */
export class MalformedText extends Error {
  override readonly name = 'MalformedText';
}

/** A name has no blank and no plus sign. */
const NAME = /^[^\s+\p{Cc}]+$/u;

/** @throws MalformedText for an invalid name of a key */
export function noteKey(sha256: Sha256, name: string, publicKey: Uint8Array, type = ED25519): NoteKey {
  if (!NAME.test(name))
    throw new MalformedText('the name of a key has no blank, no control character and no +');
  const id = sha256(concat(utf8(`${name}\n`), Uint8Array.of(type), publicKey)).subarray(0, KEY_ID_BYTES);
  return { name, id: toHex(id), type, publicKey };
}

/** Writes the key as verifiers of notes read it: name+id+base64. */
export const formatVerifierKey = ({ name, id, type, publicKey }: NoteKey): string =>
  `${name}+${id}+${toBase64(concat(Uint8Array.of(type), publicKey))}`;

/** @throws MalformedText */
export function parseVerifierKey(sha256: Sha256, text: string): NoteKey {
  const parts = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text);
  const bytes = parts && fromBase64(parts[3]!);
  if (!parts || !bytes) throw new MalformedText('a verifier key is name+id+base64');
  const [type] = bytes;
  if (bytes.length !== 1 + PUBLIC_KEY_BYTES || (type !== ED25519 && type !== COSIGNATURE)) {
    throw new MalformedText('the verifier key is no Ed25519 key of type 1 or 4');
  }
  const key = noteKey(sha256, parts[1]!, bytes.subarray(1), type);
  if (key.id !== parts[2]) throw new MalformedText('the id of the verifier key does not fit name and key');
  return key;
}

/** Writes a signature as a line of a note. */
export const formatSignature = ({ name, keyId, signature }: NoteSignature): string =>
  `— ${name} ${toBase64(concat(bytesOfHex(keyId), signature))}\n`;

export const formatNote = ({ text, signatures }: Note): string =>
  `${text}\n${signatures.map(formatSignature).join('')}`;

/**
 * Reads a note. Its text is proven only after `signaturesBy` has verified a signature.
 * @throws MalformedText
 */
export function parseNote(note: string): Note {
  if (note.length > LONGEST_NOTE) throw new MalformedText('the note is longer than 1,000,000 characters');
  if (hasControlCharacter(note) || !note.isWellFormed()) {
    throw new MalformedText('the note contains a control character or half of a surrogate pair');
  }
  const border = note.lastIndexOf('\n\n');
  if (border < 0 || !note.endsWith('\n'))
    throw new MalformedText('the note has no text with signatures below');
  const lines = note.slice(border + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES)
    throw new MalformedText(`the note has over ${MAX_SIGNATURES} signatures`);
  return { text: note.slice(0, border + 1), signatures: lines.map(parseSignature) };
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 && code !== 0x0a) return true;
  }
  return false;
}

/** @throws MalformedText */
function parseSignature(line: string): NoteSignature {
  const [, name, text = ''] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
  const bytes = fromBase64(text);
  if (!name || !NAME.test(name) || !bytes || bytes.length <= KEY_ID_BYTES) {
    throw new MalformedText('a signature line is an em dash, the name of the key and base64');
  }
  const keyId = toHex(bytes.subarray(0, KEY_ID_BYTES));
  return { name, keyId, signature: bytes.subarray(KEY_ID_BYTES) };
}

/** Verifies an Ed25519 signature; a parameter like `Sha256`. */
export type VerifyEd25519 = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;

/**
 * Returns the keys that signed a note. Signatures of unknown keys are ignored.
 * @throws MalformedText when a signature of a known key is wrong
 */
export function signaturesBy(note: Note, keys: readonly NoteKey[], verify: VerifyEd25519): NoteKey[] {
  const signers = new Set<NoteKey>();
  for (const { name, keyId, signature } of note.signatures) {
    const key = keys.find((known) => known.name === name && known.id === keyId);
    if (!key || signers.has(key)) continue;
    if (!isSigned(note.text, key, signature, verify)) {
      throw new MalformedText(`the signature of ${name} with the key id ${keyId} is wrong`);
    }
    signers.add(key);
  }
  return [...signers];
}

const TIME_BYTES = 8;

function isSigned(text: string, { type, publicKey }: NoteKey, signature: Uint8Array, verify: VerifyEd25519) {
  if (type === ED25519) return verify(publicKey, utf8(text), signature);
  const time = cosignedAt(signature);
  if (time === undefined) return false;
  return verify(publicKey, utf8(cosignedText(text, time)), signature.subarray(TIME_BYTES));
}

/**
 * Returns the text that a witness signs: that of the checkpoint below a header and its time in seconds (C2SP
 * tlog-cosignature).
 */
export const cosignedText = (text: string, time: bigint): string => `cosignature/v1\ntime ${time}\n${text}`;

/** Reads the time in the signature of a witness, in seconds; undefined for another signature. */
export function cosignedAt(signature: Uint8Array): bigint | undefined {
  if (signature.length !== TIME_BYTES + 64) return undefined;
  const time = BigInt(`0x${toHex(signature.subarray(0, TIME_BYTES))}`);
  return time < 2n ** 63n ? time : undefined;
}

const bytesOfHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
