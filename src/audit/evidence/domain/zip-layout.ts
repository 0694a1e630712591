/**
 * Bytes around the files of a bundle, as the service writes them: Deflate, no times, no comments, sizes after
 * the data. All follow from a few fields, so a reader that writes them again finds each different byte.
 */
import { concat, utf8 } from '../../../transparency/domain/bytes.js';

export interface ZipEntry {
  readonly name: string;
  readonly crc32: number;
  /** Number of bytes of the compressed data. */
  readonly packed: number;
  readonly size: number;
  /** Offset of the local header. */
  readonly offset: number;
}

export interface ZipDirectory {
  readonly entries: number;
  readonly size: number;
  readonly offset: number;
}

export const CENTRAL_RECORD = 46;
export const END_RECORD = 22;
export const END_RECORDS_64 = 76;
export const ZIP64_EXTRA = 28;

/** Content of a 32-bit field whose value is in the zip64 field instead. */
export const ZIP64_MARKER = 0xffff_ffff;

const VERSION = 20;
const VERSION_64 = 45;
const MADE_BY = (3 << 8) | 63;
/** Flags: names are UTF-8; checksum and sizes follow the data. */
const FLAGS = 0x0808;
const DEFLATE = 8;
/** 1 January 1980. */
const DATE = 0x0021;
/** Mode of a regular file that its group may write. */
const MODE = 0o100664 * 0x1_0000;

type Field = readonly [bytes: 2 | 4 | 8, value: number];

function written(...fields: readonly Field[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [length]) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [length, value] of fields) {
    if (length === 2) view.setUint16(at, value, true);
    else if (length === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += length;
  }
  return bytes;
}

const isLarge = ({ packed, size, offset }: ZipEntry): boolean =>
  Math.max(packed, size, offset) >= ZIP64_MARKER;

export function localHeaderOf({ name }: ZipEntry): Uint8Array {
  const text = utf8(name);
  return concat(
    written(
      ...([
        [4, 0x04034b50],
        [2, VERSION],
        [2, FLAGS],
        [2, DEFLATE],
        [2, 0],
        [2, DATE],
      ] as const),
      ...([
        [4, 0],
        [4, 0],
        [4, 0],
        [2, text.length],
        [2, 0],
      ] as const),
    ),
    text,
  );
}

export function descriptorOf(entry: ZipEntry): Uint8Array {
  const bytes = isLarge(entry) ? 8 : 4;
  return written([4, 0x08074b50], [4, entry.crc32], [bytes, entry.packed], [bytes, entry.size]);
}

export function centralRecordOf(entry: ZipEntry): Uint8Array {
  const [text, large] = [utf8(entry.name), isLarge(entry)];
  const extra = large
    ? written([2, 1], [2, ZIP64_EXTRA - 4], [8, entry.size], [8, entry.packed], [8, entry.offset])
    : new Uint8Array();
  const fixed = written(
    ...([
      [4, 0x02014b50],
      [2, MADE_BY],
      [2, large ? VERSION_64 : VERSION],
      [2, FLAGS],
      [2, DEFLATE],
    ] as const),
    ...([
      [2, 0],
      [2, DATE],
      [4, entry.crc32],
      [4, large ? ZIP64_MARKER : entry.packed],
    ] as const),
    ...([
      [4, large ? ZIP64_MARKER : entry.size],
      [2, text.length],
      [2, extra.length],
      [2, 0],
      [2, 0],
    ] as const),
    ...([
      [2, 0],
      [4, MODE],
      [4, large ? ZIP64_MARKER : entry.offset],
    ] as const),
  );
  return concat(fixed, text, extra);
}

/** The end of the archive. */
export function endRecordsOf({ entries, size, offset }: ZipDirectory): Uint8Array {
  const isIn64 = entries >= 0xffff || size >= ZIP64_MARKER || offset >= ZIP64_MARKER;
  const count = Math.min(entries, 0xffff);
  const end = written(
    ...([
      [4, 0x06054b50],
      [2, 0],
      [2, 0],
      [2, count],
      [2, count],
    ] as const),
    ...([
      [4, Math.min(size, ZIP64_MARKER)],
      [4, Math.min(offset, ZIP64_MARKER)],
      [2, 0],
    ] as const),
  );
  if (!isIn64) return end;
  return concat(
    written(
      ...([
        [4, 0x06064b50],
        [8, 44],
        [2, MADE_BY],
        [2, VERSION_64],
        [4, 0],
        [4, 0],
      ] as const),
      ...([
        [8, entries],
        [8, entries],
        [8, size],
        [8, offset],
      ] as const),
    ),
    written([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1]),
    end,
  );
}
