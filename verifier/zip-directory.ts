import type { Source } from './platform.js';
import { RefusedBundle } from './refused-bundle.js';
import {
  CENTRAL_RECORD,
  centralRecordOf,
  descriptorOf,
  ZIP64_MARKER,
  END_RECORD,
  END_RECORDS_64,
  endRecordsOf,
  localHeaderOf,
  ZIP64_EXTRA,
  type ZipDirectory,
  type ZipEntry,
} from '../src/audit/evidence/domain/zip-layout.js';

/** Limit of a record; the longest name of a file is far shorter. */
const LONGEST_RECORD = 200;

/**
 * Reads the table of contents of an archive. The files follow each other without a gap, and every byte of the
 * table is as the service writes it.
 * @throws RefusedBundle
 */
export async function readDirectory(source: Source, mostFiles: number): Promise<ZipEntry[]> {
  const directory = await findDirectory(source);
  if (directory.entries > mostFiles) {
    throw new RefusedBundle(`the archive has ${directory.entries} files, allowed are ${mostFiles}`);
  }
  if (directory.size > directory.entries * LONGEST_RECORD) {
    throw new RefusedBundle(`the archive: its table of contents has ${directory.size} bytes, too many`);
  }
  const bytes = await source.read(directory.offset, directory.size);
  const entries: ZipEntry[] = [];
  let [at, next] = [0, 0];
  while (entries.length < directory.entries) {
    const entry = entryAt(bytes, at);
    const location = `the archive, table of contents, ${entry ? JSON.stringify(entry.name) : `file ${entries.length + 1}`}`;
    if (!entry) throw new RefusedBundle(`${location}: the table breaks off`);
    const record = centralRecordOf(entry);
    requireBytes(bytes.subarray(at, at + record.length), record, location);
    if (entry.offset !== next) {
      throw new RefusedBundle(`${location}: it begins at byte ${entry.offset}, expected ${next}`);
    }
    next += localHeaderOf(entry).length + entry.packed + descriptorOf(entry).length;
    at += record.length;
    entries.push(entry);
  }
  if (at !== bytes.length || next !== directory.offset) {
    throw new RefusedBundle('the archive: files, table of contents and end do not follow each other');
  }
  return entries;
}

/** @throws RefusedBundle that names the first differing byte */
export function requireBytes(found: Uint8Array, expected: Uint8Array, location: string): void {
  for (let at = 0; at < expected.length; at++) {
    if (found[at] === expected[at]) continue;
    const [is, must] = [found[at], expected[at]!].map(
      (byte) => byte?.toString(16).padStart(2, '0') ?? 'no byte',
    );
    throw new RefusedBundle(`${location}: byte ${at} is ${is}, a bundle has ${must}`);
  }
}

async function findDirectory(source: Source): Promise<ZipDirectory> {
  const location = 'the archive: its last bytes';
  if (source.size < END_RECORD)
    throw new RefusedBundle(`${location} are missing: ${source.size} bytes are no archive`);
  const length = Math.min(source.size, END_RECORD + END_RECORDS_64);
  const tail = await source.read(source.size - length, length);
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const end = tail.length - END_RECORD;
  if (view.getUint32(end, true) !== 0x06054b50) {
    throw new RefusedBundle(`${location} are not the end of an archive; it was cut or is none`);
  }
  const [entries, size, offset] = [
    view.getUint16(end + 10, true),
    view.getUint32(end + 12, true),
    view.getUint32(end + 16, true),
  ];
  const isIn64 =
    (entries === 0xffff || size === ZIP64_MARKER || offset === ZIP64_MARKER) && end === END_RECORDS_64;
  const directory = isIn64
    ? { entries: count(view, 32), size: count(view, 40), offset: count(view, 48) }
    : { entries, size, offset };
  const records = endRecordsOf(directory);
  if (directory.offset + directory.size + records.length !== source.size) {
    throw new RefusedBundle(
      `${location} place the table of contents at byte ${directory.offset} with ${directory.size} bytes, but the archive has ${source.size}`,
    );
  }
  requireBytes(tail.subarray(tail.length - records.length), records, location);
  return directory;
}

const count = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

const names = new TextDecoder('utf-8', { ignoreBOM: true });

function entryAt(bytes: Uint8Array, at: number): ZipEntry | undefined {
  if (at + CENTRAL_RECORD > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.byteLength - at);
  const [length, extra] = [view.getUint16(28, true), view.getUint16(30, true)];
  const end = CENTRAL_RECORD + length;
  if (end + extra > view.byteLength) return undefined;
  const name = names.decode(bytes.subarray(at + CENTRAL_RECORD, at + end));
  const crc32 = view.getUint32(16, true);
  if (extra === ZIP64_EXTRA) {
    const [size, packed, offset] = [count(view, end + 4), count(view, end + 12), count(view, end + 20)];
    return { name, crc32, packed, size, offset };
  }
  const [packed, size, offset] = [
    view.getUint32(20, true),
    view.getUint32(24, true),
    view.getUint32(42, true),
  ];
  return { name, crc32, packed, size, offset };
}
