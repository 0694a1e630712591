import {
  FORMAT_VERSION,
  nameInPart,
  PERSONAL_DATA_VERSION,
  SHARED_PART,
  type FileSummary,
} from '../src/audit/evidence/domain/bundle-format.js';
import { fromWireId, type Uuid } from '../src/kernel/ids.js';
import { LineCursor } from './line-cursor.js';
import type { Archive, Line } from './read-archive.js';
import { requireCanonical, withMembers } from './json-members.js';
import { RefusedBundle } from './refused-bundle.js';

export interface Manifest {
  readonly files: Readonly<Record<string, FileSummary>>;
  readonly invoices: readonly string[];
  readonly organization: string;
  readonly org: Uuid;
  /** Newest part; parts are counted from 1. */
  readonly parts: number;
  /** Tells whether each part has a file of personal data. */
  readonly hasPersonalData: boolean;
}

/** Reads the manifest. @throws RefusedBundle for another format or version */
export async function readManifest(archive: Archive): Promise<Manifest> {
  const location = 'manifest.json';
  const text = await archive.text(location);
  let manifest: Record<string, unknown>;
  try {
    manifest = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new RefusedBundle(`${location}: not JSON`);
  }
  const { format, version, organization, files, invoices } = manifest ?? {};
  if (format !== 'recount-evidence')
    throw new RefusedBundle(`${location}: this is no evidence bundle of Recount`);
  requireVersion(version, location);
  const org = typeof organization === 'string' ? fromWireId('org', organization) : undefined;
  if (!org) throw new RefusedBundle(`${location}: organization is no org_…`);
  withMembers(manifest, location, { files: 'object', invoices: 'list' });
  if ((invoices as unknown[]).some((number) => typeof number !== 'string')) {
    throw new RefusedBundle(`${location}: invoices are no numbers of invoices`);
  }
  for (const [name, file] of Object.entries(files as object)) {
    const lines = /\.jsonl$/.test(name) && { lines: 'integer' as const };
    withMembers(file, `${location}: ${JSON.stringify(name)}`, {
      bytes: 'integer',
      sha256: 'string',
      ...lines,
    });
  }
  requireCanonical({ value: manifest, text: text.replace(/\n$/, ''), location });
  const unlisted = archive.names.find((name) => name !== location && !Object.hasOwn(files as object, name));
  if (unlisted !== undefined) throw new RefusedBundle(`${unlisted}: the manifest does not list it`);
  return {
    org,
    organization: organization as string,
    files: files as Manifest['files'],
    invoices: invoices as string[],
    parts: partsOf(Object.keys(files as object), version === PERSONAL_DATA_VERSION),
    hasPersonalData: version === PERSONAL_DATA_VERSION,
  };
}

function requireVersion(version: unknown, location: string): void {
  if (version === FORMAT_VERSION || version === PERSONAL_DATA_VERSION) return;
  if (typeof version !== 'number') throw new RefusedBundle(`${location}: version is no number`);
  const isOlder = version < FORMAT_VERSION;
  const advice = isOlder ? 'export the bundle again' : 'take a newer one';
  throw new RefusedBundle(
    `${location}: the bundle has version ${version}, this verifier reads ${FORMAT_VERSION} and ${PERSONAL_DATA_VERSION}; ${advice}`,
  );
}

/** Counts the parts: they have no gap, and none has more files than its kinds. */
function partsOf(names: readonly string[], hasPersonalData: boolean): number {
  const ofPart = names.filter((name) => /^(?:events|usage|invoices|proofs|personal-data)\//.test(name));
  const parts = ofPart.filter((name) => name.startsWith('events/')).length - 1;
  const known = new Set(
    Array.from({ length: Math.max(parts, 0) + 1 }, (_, part) => part).flatMap((part) => [
      nameInPart('events', part),
      nameInPart('proofs', part),
      ...(part === SHARED_PART ? [] : [nameInPart('usage', part), nameInPart('invoices', part)]),
      ...(part === SHARED_PART || !hasPersonalData ? [] : [nameInPart('personal-data', part)]),
    ]),
  );
  const other = ofPart.find((name) => !known.has(name));
  if (other !== undefined) throw new RefusedBundle(`${other}: the bundle has no such part`);
  return parts;
}

/**
 * Compares a file with its entry in the manifest.
 * @throws RefusedBundle
 */
function requireSame(name: string, stated: FileSummary, found: FileSummary): void {
  for (const field of ['bytes', 'lines', 'sha256'] as const) {
    if (stated[field] === found[field]) continue;
    throw new RefusedBundle(`${name}: ${field} stated ${stated[field]}, found ${found[field]}`);
  }
}

/** Files of a bundle. Each is compared with the manifest after it was read to its end. */
export class BundleFiles {
  constructor(
    private readonly archive: Archive,
    readonly manifest: Manifest,
  ) {}

  get names(): readonly string[] {
    return Object.keys(this.manifest.files);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.manifest.files, name);
  }

  /** @throws RefusedBundle for a file that the manifest does not list */
  open(name: string): LineCursor {
    if (!this.has(name)) throw new RefusedBundle(`manifest.json: it does not list ${name}`);
    return new LineCursor(this.lines(name));
  }

  /** Reads a file to its end. @returns the number of lines */
  async each(name: string, take: (line: Line) => void): Promise<number> {
    const cursor = this.open(name);
    try {
      for (let line = await cursor.more(); line; line = cursor.next ?? (await cursor.more())) {
        take(line);
        cursor.pass();
      }
      return cursor.count;
    } finally {
      await cursor.close();
    }
  }

  /** Hashes a file and compares. @returns its SHA-256 @throws RefusedBundle */
  async hash(name: string): Promise<string> {
    const stated = this.manifest.files[name]!;
    const found = await this.archive.summary(name);
    // The reader of the lines counts them.
    requireSame(name, stated, { ...found, ...('lines' in stated && { lines: stated.lines! }) });
    return found.sha256;
  }

  private async *lines(name: string): AsyncGenerator<readonly Line[]> {
    const found = yield* this.archive.lines(name);
    requireSame(name, this.manifest.files[name]!, found);
  }
}
