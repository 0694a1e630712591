const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const NONE = 0xff;
/** Values of digits by their character code. */
const VALUES = new Uint8Array(128).fill(NONE);
for (let value = 0; value < DIGITS.length; value++) VALUES[DIGITS.charCodeAt(value)] = value;

const encoder = new TextEncoder();

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** Base64 of RFC 4648 with padding, for Node and browsers. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [a, b = 0, c = 0] = bytes.subarray(index, index + 3);
    text += DIGITS[a! >> 2]! + DIGITS[((a! & 3) << 4) | (b >> 4)]!;
    text += index + 1 < bytes.length ? DIGITS[((b & 15) << 2) | (c >> 6)]! : '=';
    text += index + 2 < bytes.length ? DIGITS[c & 63]! : '=';
  }
  return text;
}

/** Reads base64; undefined for a text that `toBase64` does not write, so that bytes have one text only. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let [bits, held, at] = [0, 0, 0];
  for (let index = 0; index < text.length - padding; index++) {
    const value = VALUES[text.charCodeAt(index)] ?? NONE;
    if (value === NONE) return undefined;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[at++] = (bits >> held) & 0xff;
  }
  return (bits & ((1 << held) - 1)) === 0 ? bytes : undefined;
}

export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export const isEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);
