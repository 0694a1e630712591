import { unpack, packed, type BundleFiles } from '../cli/evidence/edit-bundle.js';
import { nodePlatform } from '../../verifier/node/node-platform.js';
import type { Source } from '../../verifier/platform.js';
import { jsonOfFailure, sentencesOf, verdictOf, verifyBundle } from '../../verifier/report.js';
import { readDirectory } from '../../verifier/zip-directory.js';
import { hostileChangesOf, withoutProofs } from './hostile-changes.js';
import { changesOfBytes, changesOfFiles, hashOf, type BundleChange } from './bundle-changes.js';

export interface SweptBundle {
  readonly archive: Buffer;
  readonly key: string;
  readonly since: string;
}

export interface BundleTally {
  tried: number;
  refused: number;
  /** Changes with which the bundle is readable, but an invoice differs or a proof is missing. */
  differs: number;
  /** Changed bits that do not affect the unpacked data. */
  free: number;
  /** Locations of undetected changes. */
  readonly missed: string[];
}

const sourceOf = (bytes: Buffer): Source => ({
  size: bytes.length,
  read: async (offset, length) => bytes.subarray(offset, offset + length),
});

type Outcome = 'as issued' | 'differs' | 'refused' | 'failed';

/** Verifies a bundle. @returns the outcome and the first sentence of the report */
async function outcomeOf(
  bytes: Buffer,
  { key, since }: Partial<Pick<SweptBundle, 'key' | 'since'>>,
): Promise<readonly [Outcome, string]> {
  try {
    const report = await verifyBundle(sourceOf(bytes), nodePlatform, {
      key,
      since,
      withoutSignature: key === undefined,
      witnesses: [],
      consistency: undefined,
      expected: undefined,
    });
    const [sentence] = [...sentencesOf(report), ...report.notProven];
    return verdictOf(report) === 'as issued' ? ['as issued', ''] : ['differs', sentence!];
  } catch (error) {
    const { refused, detail } = jsonOfFailure(error);
    return [refused ? 'refused' : 'failed', detail];
  }
}

/** Tries all changes of a bundle. @param every tries each n-th change */
export async function sweepBundle(
  bundle: SweptBundle,
  every: number,
  which: (change: BundleChange) => boolean = () => true,
): Promise<Map<string, BundleTally>> {
  const files = await unpack(bundle.archive);
  const contents = contentsOf(files);
  const entries = await readDirectory(sourceOf(bundle.archive), 1_000);
  const tallies = new Map<string, BundleTally>();
  let count = 0;
  const changes = function* () {
    yield* changesOfBytes(bundle.archive, entries);
    yield* changesOfFiles(files);
  };
  for (const change of changes()) {
    if (!which(change) || count++ % every !== 0) continue;
    const tally = tallies.get(change.kind) ?? { tried: 0, refused: 0, differs: 0, free: 0, missed: [] };
    tallies.set(change.kind, tally);
    tally.tried += 1;
    const bytes = 'archive' in change ? change.archive : await packed(change.files);
    const [outcome] = await outcomeOf(bytes, bundle);
    // A failure does not count: an auditor could not tell it from a bug of the verifier.
    if (outcome === 'refused' || outcome === 'differs') tally[outcome] += 1;
    else if ('archive' in change && contentsOf(await unpack(bytes)) === contents) tally.free += 1;
    else tally.missed.push(change.location);
  }
  return tallies;
}

/** Results of changes to a bundle without proofs. */
export interface HostileTally {
  readonly tried: number;
  readonly refused: number;
  readonly differs: number;
  /** Changes of members that no invoice depends on. */
  readonly asIssued: number;
  /** Changes with which the verifier itself failed. */
  readonly failed: readonly string[];
}

/**
 * Sets members of a bundle without proofs to invalid values and verifies it without a key, so that its events reach
 * the rules that compute invoices.
 * @param note called before each change with the number of changes done
 */
export async function sweepWithoutProofs(
  { archive }: SweptBundle,
  every: number,
  note: (tried: number, next: string) => void = () => undefined,
): Promise<HostileTally> {
  const counts: Record<Outcome, number> = { 'as issued': 0, differs: 0, refused: 0, failed: 0 };
  const failed: string[] = [];
  let tried = 0;
  for (const { location, files } of hostileChangesOf(withoutProofs(await unpack(archive)), every)) {
    note(tried, location);
    tried += 1;
    const [outcome, sentence] = await outcomeOf(await packed(files), {});
    counts[outcome] += 1;
    if (outcome === 'failed') failed.push(`${location}: ${sentence}`);
  }
  const { refused, differs, 'as issued': asIssued } = counts;
  return { tried, refused, differs, asIssued, failed };
}

const contentsOf = (files: BundleFiles): string =>
  JSON.stringify([...files].map(([name, bytes]) => [name, hashOf(bytes)]));
