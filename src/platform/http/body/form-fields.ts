import { isUtf8 } from 'node:buffer';
import { DomainError } from '../../../kernel/errors.js';

const wrongEncoding = (): DomainError =>
  new DomainError(
    'parse_error',
    'The form has bytes that are not UTF-8. Send its names and values in UTF-8.',
  );

/** Returns a check that takes a body part by part. @throws DomainError for bytes that are not UTF-8 */
export function utf8Check(): (part: Buffer) => void {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (part) => {
    try {
      decoder.decode(part, { stream: true });
    } catch {
      throw wrongEncoding();
    }
  };
}

/**
 * Reads an urlencoded form. A name that is given several times has a list of its values.
 * @throws DomainError for bytes that are not UTF-8, raw or behind percent signs
 */
export function readForm(bytes: Buffer): Record<string, unknown> {
  const form: Record<string, string | string[]> = Object.create(null) as Record<string, never>;
  for (let at = 0; at < bytes.length;) {
    const end = offsetOf(AMPERSAND, bytes, at);
    const field = bytes.subarray(at, end);
    at = end + 1;
    if (field.length === 0) continue;
    const nameEnd = offsetOf(EQUALS, field, 0);
    const name = decode(field.subarray(0, nameEnd));
    const value = decode(field.subarray(nameEnd + 1));
    const before = form[name];
    if (before === undefined) form[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else form[name] = [before, value];
  }
  return { ...form };
}

const [PERCENT, AMPERSAND, PLUS, EQUALS, SPACE] = [0x25, 0x26, 0x2b, 0x3d, 0x20];

function offsetOf(byte: number, bytes: Buffer, from: number): number {
  const offset = bytes.indexOf(byte, from);
  return offset < 0 ? bytes.length : offset;
}

/** Decodes a name or value. A percent sign without two hex digits stays. */
function decode(encoded: Buffer): string {
  const decoded = Buffer.allocUnsafe(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at++) {
    let byte = encoded[at]!;
    if (byte === PLUS) byte = SPACE;
    else if (byte === PERCENT) {
      const [high, low] = [hexDigit(encoded[at + 1]), hexDigit(encoded[at + 2])];
      if (high >= 0 && low >= 0) {
        byte = high * 16 + low;
        at += 2;
      }
    }
    decoded[length++] = byte;
  }
  const text = decoded.subarray(0, length);
  if (!isUtf8(text)) throw wrongEncoding();
  return text.toString();
}

/** Returns the value of a hex digit; -1 for another byte. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
