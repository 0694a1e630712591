import { ed25519 } from '@noble/curves/ed25519.js';
import { concat } from '../../src/transparency/domain/bytes.js';
import { UNPACKED_AT_ONCE, type VerifierPlatform, type Source } from '../platform.js';

/** Remainders of CRC-32 by byte (RFC 1952). */
const REMAINDERS = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

export const browserPlatform: VerifierPlatform = {
  async *inflate(packed) {
    const reading = packed[Symbol.asyncIterator]();
    const input = new ReadableStream<BufferSource>({
      pull: async (controller) => {
        const { done, value } = await reading.next();
        if (done) controller.close();
        else controller.enqueue(value as Uint8Array<ArrayBuffer>);
      },
    });
    const reader = input.pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    let parts: Uint8Array[] = [];
    let bytes = 0;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (value) {
          parts.push(value);
          bytes += value.length;
        }
        if (done ? bytes > 0 : bytes >= UNPACKED_AT_ONCE) {
          yield concat(...parts);
          parts = [];
          bytes = 0;
        }
        if (done) return;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  },
  crc32: (bytes, before) => {
    let crc = ~before;
    for (const byte of bytes) crc = (crc >>> 8) ^ REMAINDERS[(crc ^ byte) & 0xff]!;
    return ~crc >>> 0;
  },
  verifyEd25519: (publicKey, message, signature) => {
    try {
      return ed25519.verify(signature, message, publicKey, { zip215: false });
    } catch {
      return false; // not a point of the curve, or not 64 bytes
    }
  },
};

/** File that was chosen or dropped; it is read from the disk piece by piece. */
export const sourceOf = (file: File): Source => ({
  size: file.size,
  read: async (offset, length) => new Uint8Array(await file.slice(offset, offset + length).arrayBuffer()),
});
