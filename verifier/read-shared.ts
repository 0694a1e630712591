import type { NumberSeriesEvent } from '../src/billing/accounts/domain/events.js';
import { faultsOfChain } from '../src/billing/numbering/domain/number-series.js';
import { nameInPart, SHARED_PART } from '../src/audit/evidence/domain/bundle-format.js';
import { type RecordedEvent, categoryOf, entityOf } from '../src/kernel/event.js';
import { HASH_BYTES } from '../src/transparency/domain/merkle.js';
import type { VerifyEd25519 } from '../src/transparency/domain/note.js';
import { BatchTable } from './batch-table.js';
import type { Assigned, BundledTree, SharedEvidence } from './bundle.js';
import type { EvidenceGaps } from './evidence-gaps.js';
import { ProofChecker, readTree, textsOf } from './check-proofs.js';
import type { LineCursor } from './line-cursor.js';
import { leafTextOf } from './line-texts.js';
import { lineOf, requireCanonical, withMembers, type Kind } from './json-members.js';
import { EventReader, eventLineOf } from './read-events.js';
import type { BundleFiles } from './read-manifest.js';
import { batchOf } from './read-usage.js';
import { RefusedBundle, tooMuch } from './refused-bundle.js';

type Assignment = NumberSeriesEvent['data']['assignments'][number];

interface ReadShared {
  readonly shared: SharedEvidence;
  readonly counts: { readonly events: number; readonly batches: number };
  /** Faults of the chains of numbers. */
  readonly faults: readonly string[];
}

/**
 * Reads the checkpoint, the usage batches, and the streams that several customers share, with their proofs.
 * @param gaps receives events and batches without a proof, and missing events
 * @throws RefusedBundle that names the location of a difference
 */
export async function readShared(
  files: BundleFiles,
  gaps: EvidenceGaps,
  verifierKey: string | undefined,
  verifyEd25519: VerifyEd25519,
  limits: SharedLimits = LIMITS,
): Promise<ReadShared> {
  const { org, organization } = files.manifest;
  const tree = files.has('checkpoint.jsonl')
    ? await treeOf(files, organization, verifierKey, verifyEd25519)
    : undefined;
  const proofs = tree && files.open(nameInPart('proofs', SHARED_PART));
  const checker = tree && new ProofChecker(tree, proofs!, gaps.unproven);
  try {
    const events = await sharedEvents(files, checker, gaps, limits.events);
    const batches = new BatchTable();
    checker?.expectAscending();
    const cursor = files.open('batches.jsonl');
    const batchCount = await eachBatch(cursor, batches, checker, limits.rows);
    await checker?.end();
    const { streams, assigned, faults } = events;
    return {
      shared: { org, events: streams, batches: batches.pages(), tree, assigned },
      counts: { events: events.count, batches: batchCount },
      faults,
    };
  } finally {
    await proofs?.close();
  }
}

/** The proofs of 200 earlier checkpoints, and of a size that the auditor asked for. */
const MAX_CONSISTENCY_PROOFS = 201;

async function treeOf(
  files: BundleFiles,
  organization: string,
  verifierKey: string | undefined,
  verifyEd25519: VerifyEd25519,
): Promise<BundledTree> {
  let note = '';
  await files.each('checkpoint.jsonl', (line) => {
    const { location } = line;
    if (note !== '') throw new RefusedBundle(`${location}: a bundle has one checkpoint`);
    ({ note } = lineOf<{ note: string }>(line, { note: 'string' }));
  });
  const continued = new Map<number, readonly string[]>();
  let last = -1;
  await files.each('consistency.jsonl', (line) => {
    const { location } = line;
    if (continued.size === MAX_CONSISTENCY_PROOFS) {
      throw new RefusedBundle(
        `${location}: a bundle has at most ${MAX_CONSISTENCY_PROOFS} consistency proofs`,
      );
    }
    const kinds = { size: 'integer', hashes: 'list' } as const;
    const { size, hashes } = lineOf<{ size: number; hashes: unknown }>(line, kinds);
    if (size <= last) throw new RefusedBundle(`${location}: size ${size} comes after ${last}`);
    last = size;
    continued.set(size, textsOf(hashes, location));
  });
  return readTree({ note, organization, continued }, verifierKey, verifyEd25519);
}

interface SharedLimits {
  /** Number of characters of the events that customers share: settings, plans, add-ons, and numbers of invoices. */
  readonly events: number;
  /** Number of rows of all batches, of which 32 bytes each are held. */
  readonly rows: number;
}

const LIMITS: SharedLimits = { events: 512 * 1024 ** 2, rows: 50_000_000 };

/** The parts have the streams of a customer. */
const OWN = /^(?:account|customer|document|subscription)$/;

async function sharedEvents(
  files: BundleFiles,
  checker: ProofChecker | undefined,
  gaps: EvidenceGaps,
  most: SharedLimits['events'],
) {
  const streams = new Map<string, RecordedEvent[]>();
  const [assigned, faults] = [new Map<string, Assigned>(), [] as string[]];
  const reader = new EventReader(files.manifest.org, gaps.missing);
  let held = 0;
  let series: { readonly day: string; readonly all: Assignment[] } | undefined;
  const endSeries = (): void => {
    if (series) faults.push(...faultsOfChain(series.day, series.all));
    series = undefined;
  };
  const cursor = files.open(nameInPart('events', SHARED_PART));
  try {
    for (let next = await cursor.more(); next; next = cursor.next ?? (await cursor.more())) {
      held += next.text.length;
      if (held > most) throw tooMuch(next.location, 'evidence that customers share', most);
      const line = eventLineOf(next);
      const category = categoryOf(line.stream);
      if (OWN.test(category)) {
        throw new RefusedBundle(`${next.location}: ${line.stream} is the stream of one customer`);
      }
      const { stored, lifted } = reader.read(line, next.location);
      cursor.pass();
      const isProven = await checker?.check(stored, (position) => leafTextOf(next.text, line, position));
      if (!isProven) requireCanonical(next);
      if (category === 'numberseries') {
        const day = entityOf(line.stream);
        if (series?.day !== day) endSeries();
        series ??= { day, all: [] };
        for (const one of assignmentsOf(lifted, next.location)) {
          series.all.push(one);
          assigned.set(one.invoiceId, { number: one.number, resultHash: one.resultHash });
        }
        continue;
      }
      endSeries();
      const known = streams.get(line.stream);
      if (known) known.push(lifted);
      else streams.set(line.stream, [lifted]);
    }
    endSeries();
    return { streams, assigned, faults, count: cursor.count };
  } finally {
    await cursor.close();
  }
}

const ASSIGNMENT: Readonly<Record<keyof Assignment, Kind>> = {
  chainHash: 'string',
  invoiceId: 'string',
  number: 'string',
  resultHash: 'string',
};

/** @throws RefusedBundle */
function assignmentsOf({ data }: RecordedEvent, location: string): Assignment[] {
  const { assignments } = withMembers<{ assignments: unknown[] }>(data, `${location}: data`, {
    assignments: 'list',
  });
  return assignments.map((one) => withMembers<Assignment>(one, `${location}: an assignment`, ASSIGNMENT));
}

/** @returns the number of batches */
async function eachBatch(
  cursor: LineCursor,
  batches: BatchTable,
  checker: ProofChecker | undefined,
  most: SharedLimits['rows'],
): Promise<number> {
  let [last, rows] = [0, 0];
  try {
    for (let next = await cursor.more(); next; next = cursor.next ?? (await cursor.more())) {
      const batch = batchOf(next);
      rows += batch.bodyHashes.length / HASH_BYTES;
      if (rows > most) throw new RefusedBundle(`${next.location}: the batches have over ${most} rows`);
      const { number } = batch;
      if (number <= last) throw new RefusedBundle(`${next.location}: batch ${number} comes after ${last}`);
      last = number;
      cursor.pass();
      await checker?.check(batch);
      batches.add(batch);
    }
    return cursor.count;
  } finally {
    await cursor.close();
  }
}
