import { fromWireId, type Uuid } from '../src/kernel/ids.js';
import type { Archive, FileSummary } from './read-archive.js';
import { RefusedBundle } from './refused-bundle.js';

/** The newest version of the format that this verifier reads (docs/evidence-bundle.md). */
const NEWEST_VERSION = 1;

interface Manifest {
  readonly files: Readonly<Record<string, FileSummary>>;
  readonly invoices: readonly string[];
  readonly organization: string;
  readonly org: Uuid;
}

/** Reads the manifest. @throws RefusedBundle for another format or version */
export async function readManifest(archive: Archive): Promise<Manifest> {
  const place = 'manifest.json';
  let manifest: Record<string, unknown>;
  try {
    manifest = JSON.parse(await archive.text(place)) as Record<string, unknown>;
  } catch (error) {
    throw error instanceof RefusedBundle ? error : new RefusedBundle(`${place}: not JSON`);
  }
  const { format, version, organization, files, invoices } = manifest ?? {};
  if (format !== 'recount-evidence')
    throw new RefusedBundle(`${place}: this is no evidence bundle of Recount`);
  if (version !== NEWEST_VERSION) {
    throw new RefusedBundle(
      `${place}: the bundle has version ${JSON.stringify(version)}, this verifier reads ${NEWEST_VERSION}; take a newer one`,
    );
  }
  const org = typeof organization === 'string' ? fromWireId('org', organization) : undefined;
  if (!org) throw new RefusedBundle(`${place}: organization is no org_…`);
  if (typeof files !== 'object' || files === null || !Array.isArray(invoices)) {
    throw new RefusedBundle(`${place}: files or invoices are missing`);
  }
  return {
    org,
    organization: organization as string,
    files: files as Manifest['files'],
    invoices: invoices as string[],
  };
}

/** Compares a file with what the manifest states. @throws RefusedBundle */
export function requireSame(name: string, stated: FileSummary, found: FileSummary): void {
  for (const field of ['bytes', 'lines', 'sha256'] as const) {
    if (stated[field] === found[field]) continue;
    throw new RefusedBundle(`${name}: ${field} stated ${stated[field]}, found ${found[field]}`);
  }
}
