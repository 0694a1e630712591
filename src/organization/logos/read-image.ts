import { createHash } from 'node:crypto';
import { crc32, inflateSync } from 'node:zlib';
import type { Logo } from '../domain/events.js';

export const LONGEST_LOGO = 131_072;
const LONGEST_SIDE = 2_000;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Samples of a pixel by PNG color type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

type Size = Pick<Logo, 'width' | 'height'>;

/** Reads a whole PNG or JPEG, so that no damaged one reaches a document. @throws Error with a sentence for the caller */
export function readImage(bytes: Buffer): Logo {
  if (bytes.length > LONGEST_LOGO)
    throw new Error(`The picture is too large. Send at most ${LONGEST_LOGO} bytes.`);
  const isPng = bytes.subarray(0, 8).equals(PNG);
  const { width, height } = isPng ? readPng(bytes) : readJpeg(bytes);
  if (Math.min(width, height) < 1 || Math.max(width, height) > LONGEST_SIDE) {
    throw new Error(`The picture has a wrong size. Send one with sides of 1 to ${LONGEST_SIDE} pixels.`);
  }
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { digest, mediaType: isPng ? 'image/png' : 'image/jpeg', width, height };
}

/** Checks every chunk, and that the decompressed pixels have the length that the head names. */
function readPng(bytes: Buffer): Size {
  const pixels: Buffer[] = [];
  let head: Buffer | undefined;
  let palette = false;
  let ended = false;
  for (let at = 8; at < bytes.length && !ended;) {
    const length = bytes.length - at < 12 ? Infinity : bytes.readUInt32BE(at);
    if (at + 12 + length > bytes.length) throw damaged();
    const type = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (crc32(bytes.subarray(at + 4, at + 8 + length)) !== bytes.readUInt32BE(at + 8 + length))
      throw damaged();
    if (type === 'IHDR' && length === 13) head ??= data;
    if (type === 'PLTE') palette = true;
    if (type === 'IDAT') pixels.push(data);
    ended = type === 'IEND';
    at += 12 + length;
  }
  if (!head || !ended) throw damaged();
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const [depth, color, , , interlaced] = head.subarray(8);
  const samples = SAMPLES[color!];
  if (depth !== 8 || samples === undefined || interlaced !== 0) {
    throw new Error('Save the PNG with 8 bits per channel and without interlacing.');
  }
  if (width > LONGEST_SIDE || height > LONGEST_SIDE) return { width, height };
  const size = height * (1 + width * samples);
  if ((color === 3 && !palette) || inflated(pixels, size).length !== size) throw damaged();
  return { width, height };
}

function inflated(pixels: readonly Buffer[], size: number): Buffer {
  try {
    return inflateSync(Buffer.concat(pixels), { maxOutputLength: Math.max(size, 1) });
  } catch {
    throw damaged();
  }
}

/** Reads the segments up to the frame: a JPEG with one or three components, which a document can show in RGB. */
function readJpeg(bytes: Buffer): Size {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new Error('Send a PNG or a JPEG.');
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!;
    if (bytes[at] !== 0xff) break;
    // Frames that pdfkit reads: baseline and progressive; 0xc4, 0xc8 and 0xcc are other segments.
    if (marker < 0xc0 || marker > 0xc2) continue;
    const components = bytes[at + 9];
    if (bytes[at + 4] !== 8 || (components !== 1 && components !== 3)) {
      throw new Error('Save the JPEG in gray or RGB with 8 bits per channel.');
    }
    if (!bytes.subarray(-64).includes(Buffer.from([0xff, 0xd9]))) throw damaged();
    return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  throw damaged();
}

const damaged = (): Error => new Error('The picture is damaged or incomplete. Send another one.');
