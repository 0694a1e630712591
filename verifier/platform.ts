import type { VerifyEd25519 } from '../src/transparency/domain/note.js';

/** File that is read by ranges of its bytes. */
export interface Source {
  readonly size: number;
  /** Reads exactly these bytes; they are within the size. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Bytes that each platform unpacks at once, so that each meets the same fault of a file first. */
export const UNPACKED_AT_ONCE = 256 * 1024;

/** Functions that differ between Node and browsers. */
export interface VerifierPlatform {
  /**
   * Unpacks raw Deflate data.
   * @throws when the data is damaged, incomplete, or followed by other bytes
   */
  inflate(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** @param before checksum of the bytes before, 0 at first */
  crc32(bytes: Uint8Array, before: number): number;
  readonly verifyEd25519: VerifyEd25519;
}
