import { createHash } from 'node:crypto';
import {
  withDocument,
  withFiles,
  withLines,
  withoutFiles,
  withoutInvoice,
  type BundleFiles,
  type Forged,
} from '../cli/evidence/edit-bundle.js';
import {
  END_RECORD,
  centralRecordOf,
  descriptorOf,
  localHeaderOf,
  type ZipEntry,
} from '../../src/audit/evidence/domain/zip-layout.js';
import { leavesOf } from './columns.js';

/** A changed bundle: another archive, or changed files that are packed again with every hash that needs no key. */
export type BundleChange = {
  /** Kind of the change, by which results are counted. */
  readonly kind: string;
  readonly location: string;
} & ({ readonly archive: Buffer } | { readonly files: BundleFiles });

/** Number of bits that are flipped in the compressed data of each file. */
const FLIPS_OF_DATA = 300;
const CUTS = 200;

interface Part {
  readonly kind: string;
  readonly location: string;
  readonly begin: number;
  readonly end: number;
}

/** Returns the parts of an archive in order, from the first byte to the last. */
function partsOf(bytes: Buffer, entries: readonly ZipEntry[]): Part[] {
  const parts: Part[] = [];
  const add = (kind: string, location: string, length: number) => {
    const begin = parts.at(-1)?.end ?? 0;
    parts.push({ kind, location, begin, end: begin + length });
  };
  for (const entry of entries) {
    add('local header', entry.name, localHeaderOf(entry).length);
    add('compressed data', entry.name, entry.packed);
    add('sizes behind the data', entry.name, descriptorOf(entry).length);
  }
  for (const entry of entries) add('table of contents', entry.name, centralRecordOf(entry).length);
  add('end of the archive', 'end', END_RECORD);
  if (parts.at(-1)!.end !== bytes.length) throw new Error('the parts are not the whole archive');
  return parts;
}

/** Flips every bit outside the files' data and some bits of each file, and truncates the archive. */
export function* changesOfBytes(bytes: Buffer, entries: readonly ZipEntry[]): Generator<BundleChange> {
  for (const { kind, location, begin, end } of partsOf(bytes, entries)) {
    const bits = (end - begin) * 8;
    const step = kind === 'compressed data' ? Math.max(1, Math.floor(bits / FLIPS_OF_DATA)) : 1;
    for (let bit = 0; bit < bits; bit += step) {
      const archive = Buffer.from(bytes);
      archive[begin + (bit >> 3)]! ^= 1 << (bit & 7);
      yield {
        kind: `bit of ${kind}`,
        location: `${location}, byte ${begin + (bit >> 3)}, bit ${bit & 7}`,
        archive,
      };
    }
  }
  for (let cut = 0; cut < CUTS; cut++) {
    const length = Math.floor((cut * bytes.length) / CUTS);
    yield { kind: 'cut', location: `after byte ${length}`, archive: bytes.subarray(0, length) };
    const archive = Buffer.concat([bytes.subarray(0, length), bytes.subarray(length + 1)]);
    yield { kind: 'byte left out', location: `byte ${length}`, archive };
  }
  yield { kind: 'bytes behind the end', location: 'end', archive: Buffer.concat([bytes, Buffer.from('x')]) };
}

/** Reorders, repeats and removes files and lines and changes members of lines, with recomputed hashes. */
export function* changesOfFiles(files: BundleFiles): Generator<BundleChange> {
  const names = [...files.keys()];
  for (const [index, name] of names.entries()) {
    const without = new Map(files);
    without.delete(name);
    yield { kind: 'file left out', location: name, files: without };
    if (name.endsWith('.pdf')) {
      const changed = Buffer.concat([files.get(name)!, Buffer.from(' ')]);
      yield { kind: 'document changed', location: name, files: new Map([...files, [name, changed]]) };
      yield {
        kind: 'document changed, with its hash anew',
        location: name,
        files: withDocument(files, name, changed),
      };
      yield { kind: 'document left out, with its entry', location: name, files: withoutFiles(files, name) };
    }
    const next = names[index + 1];
    if (next === undefined || name === 'manifest.json') continue;
    const swapped = new Map(files).set(name, files.get(next)!).set(next, files.get(name)!);
    yield { kind: 'contents of two files swapped', location: name, files: swapped };
  }
  const { invoices } = JSON.parse(files.get('manifest.json')!.toString()) as { invoices: string[] };
  // Without the first or the last one, the bundle is that of a shorter time.
  for (const number of [...invoices].sort().slice(1, -1)) {
    yield { kind: 'invoice left out of the lists', location: number, files: withoutInvoice(files, number) };
  }
  for (const name of names.filter((one) => one.endsWith('.jsonl'))) yield* changesOfLines(files, name);
  for (const name of names.filter((one) => one.startsWith('events/'))) yield* withoutEvents(files, name);
}

/**
 * Removes each event with its proof, except the last one of a stream: without it the books are valid as of an earlier
 * time.
 */
function* withoutEvents(files: BundleFiles, name: string): Generator<BundleChange> {
  const proofs = name.replace('events', 'proofs');
  const events = files.get(name)!.toString().trimEnd().split('\n');
  const named = events.map((line) => JSON.parse(line) as Forged);
  for (const [index, { stream, revision }] of named.entries()) {
    if (named[index + 1]?.stream !== stream) continue;
    const others = (line: Forged): boolean => line.stream !== stream || line.revision !== revision;
    const without = [name, proofs].reduce(
      (changed, one) => withLines(changed, one, (lines) => lines.filter(others)),
      files,
    );
    yield { kind: `${name}: event left out with its proof`, location: `line ${index + 1}`, files: without };
  }
}

function* changesOfLines(files: BundleFiles, name: string): Generator<BundleChange> {
  const lines = files.get(name)!.toString().split('\n').slice(0, -1);
  const written = (changed: readonly string[]) =>
    withFiles(files, { [name]: changed.map((line) => `${line}\n`).join('') });
  for (const [index, line] of lines.entries()) {
    // The other lines are for checkpoints that are not presented (docs/verification.md#changes-of-a-bundle).
    if (name === 'consistency.jsonl' && index > 0) break;
    const location = `${name}, line ${index + 1}`;
    const before = lines.slice(0, index);
    const after = lines.slice(index + 1);
    yield { kind: `${name}: line left out`, location, files: written([...before, ...after]) };
    yield { kind: `${name}: line repeated`, location, files: written([...before, line, line, ...after]) };
    if (after.length > 0) {
      yield {
        kind: `${name}: lines swapped`,
        location,
        files: written([...before, after[0]!, line, ...after.slice(1)]),
      };
    }
    const value = JSON.parse(line) as Forged;
    const added = JSON.stringify({ ...value, added: 1 });
    yield { kind: `${name}: member added`, location, files: written([...before, added, ...after]) };
    for (const { path, other } of leavesOf(value)) {
      const change = (json: unknown) => written([...before, JSON.stringify(json), ...after]);
      const member = `${location}, ${path.join('.')}`;
      yield {
        kind: `${name}: member changed`,
        location: member,
        files: change(replaced(value, path, other)),
      };
      yield {
        kind: `${name}: member left out`,
        location: member,
        files: change(replaced(value, path, undefined)),
      };
    }
  }
}

function replaced(value: Forged, [name, ...path]: readonly string[], other: unknown): Forged {
  if (name === undefined) return other;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (path.length > 0) copy[name] = replaced(value[name], path, other);
  else if (other !== undefined) copy[name] = other;
  else if (Array.isArray(copy)) copy.splice(Number(name), 1);
  else delete copy[name];
  return copy;
}

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
