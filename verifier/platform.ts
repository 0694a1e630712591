import type { VerifyEd25519 } from '../src/transparency/domain/note.js';

/** Bytes of a file that are read piece by piece. */
export interface Source {
  readonly size: number;
  /** Reads exactly these bytes; they are within the size. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Functions that Node and browsers have in different ways. */
export interface Platform {
  /**
   * Unpacks raw Deflate data.
   * @throws when the data is damaged, breaks off, or goes on behind its end
   */
  inflate(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** @param before the checksum of the bytes before, 0 at first */
  crc32(bytes: Uint8Array, before: number): number;
  readonly verifyEd25519: VerifyEd25519;
}
