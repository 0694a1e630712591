import { endRecordsOf } from '../../../src/audit/evidence/domain/zip-layout.js';
import { packed, type BundleFiles } from './edit-bundle.js';

type Pack = (honest: BundleFiles) => Promise<Buffer>;

const [LOCAL, CENTRAL] = [Buffer.from('PK\x03\x04'), Buffer.from('PK\x01\x02')];
const END_LENGTH = 22;

/**
 * Changes the bytes of an archive.
 * @param change receives the offsets of the first local header, the central directory and the end record
 */
const patched =
  (change: (bytes: Buffer, at: { local: number; central: number; end: number }) => Buffer | void): Pack =>
  async (honest) => {
    const bytes = await packed(honest);
    const end = bytes.length - END_LENGTH;
    const at = { local: bytes.indexOf(LOCAL), central: bytes.readUInt32LE(end + 16), end };
    return change(bytes, at) ?? bytes;
  };

const renamed =
  (name: string, other: string): Pack =>
  (honest) =>
    packed([...honest].map(([one, bytes]) => [one === name ? other : one, bytes]));

/** Archives that are refused, each with the location that the refusal names. */
export const REFUSED_ARCHIVES: readonly (readonly [string, Pack, RegExp])[] = [
  [
    'with an encrypted file',
    patched((bytes, { local, central }) => {
      bytes[local + 6]! |= 1;
      bytes[central + 8]! |= 1;
    }),
    /table of contents, "events.0001\.jsonl": byte 8 is 09, a bundle has 08/,
  ],
  [
    'with a link in the place of a file',
    patched((bytes, { central }) => {
      bytes.writeUInt32LE(0o120777 * 0x1_0000, central + 38);
    }),
    /table of contents, "events.0001\.jsonl": byte 40 is ff, a bundle has b4/,
  ],
  [
    'with sizes in fields of 64 bits that a small file does not need',
    patched((bytes, { central }) => {
      bytes.writeUInt32LE(0xffff_ffff, central + 20);
    }),
    /table of contents, "events.0001\.jsonl": byte \d+ is /,
  ],
  [
    'with a table of contents of a million million files',
    patched((bytes, { central, end }) => {
      const records = endRecordsOf({ entries: 2 ** 40, size: end - central, offset: central });
      return Buffer.concat([bytes.subarray(0, end), records]);
    }),
    /the archive has 1099511627776 files, allowed are 200010/,
  ],
  [
    'with a file twice',
    (honest) => packed([...honest, ['usage/0001.jsonl', honest.get('usage/0001.jsonl')!]]),
    /usage.0001\.jsonl: the archive has it twice/,
  ],
  [
    'with a name that differs in case',
    (honest) => packed([...honest, ['Usage/0001.jsonl', Buffer.from('x')]]),
    /"Usage.0001\.jsonl": no file of a bundle has this name/,
  ],
  [
    'with a name that differs in the form of its digits',
    renamed('usage/0001.jsonl', 'usage/\uff10\uff10\uff10\uff11.jsonl'),
    /"usage.\uff10\uff10\uff10\uff11\.jsonl": no file of a bundle has this name/,
  ],
  [
    'with a file that unpacks to more than it says',
    patched((bytes, { local, central }) => {
      const [packedBytes, name] = [bytes.readUInt32LE(central + 20), bytes.readUInt16LE(central + 28)];
      for (const at of [central + 24, local + 30 + name + packedBytes + 12]) bytes.writeUInt32LE(100, at);
    }),
    /events.0001\.jsonl: its size is stated as 100 bytes, it has more/,
  ],
  [
    'with bytes in front of its files',
    patched((bytes) => Buffer.concat([Buffer.from('#!/bin/sh\n'), bytes])),
    /the archive: its last bytes place the table of contents at byte \d+/,
  ],
  [
    'with two files that share their bytes',
    patched((bytes, { central }) => {
      const second = bytes.indexOf(CENTRAL, central + 4);
      bytes.writeUInt32LE(0, second + 42);
    }),
    /table of contents, "usage.0001\.jsonl": it begins at byte 0, expected \d+/,
  ],
];
