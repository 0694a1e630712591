import type { NumberSeriesEvent } from '../src/billing/accounts/domain/events.js';
import { faultsOfChain } from '../src/billing/numbering/domain/number-series.js';
import { nameInPart, SHARED_PART } from '../src/audit/evidence/domain/bundle-format.js';
import { type RecordedEvent, categoryOf, entityOf } from '../src/kernel/event.js';
import type { VerifyEd25519 } from '../src/transparency/domain/note.js';
import { BatchTable } from './batch-table.js';
import type { BundledTree, SharedEvidence, Unproven } from './bundle.js';
import { ProofChecker, readTree, textsOf } from './check-proofs.js';
import type { LineCursor } from './line-cursor.js';
import { leafTextOf } from './line-texts.js';
import { requireMembers, withMembers, type Kind } from './members-of.js';
import { EventReader, eventLineOf } from './read-events.js';
import type { BundleFiles } from './read-manifest.js';
import { batchOf } from './read-usage.js';
import { RefusedBundle } from './refused-bundle.js';

type Assignment = NumberSeriesEvent['data']['assignments'][number];

interface ReadShared {
  readonly shared: SharedEvidence;
  readonly counts: { readonly events: number; readonly batches: number };
  /** Faults of the chains of numbers. */
  readonly faults: readonly string[];
}

/**
 * Reads the checkpoint, the usage batches, and the streams that several customers share, with their proofs.
 * @param unproven receives events and batches without a proof
 * @throws RefusedBundle that names the place of a difference
 */
export async function readShared(
  files: BundleFiles,
  unproven: Unproven,
  verifierKey: string | undefined,
  verifyEd25519: VerifyEd25519,
): Promise<ReadShared> {
  const { org, organization } = files.manifest;
  const tree = files.has('checkpoint.jsonl')
    ? await treeOf(files, organization, verifierKey, verifyEd25519)
    : undefined;
  const proofs = tree && files.open(nameInPart('proofs', SHARED_PART));
  const checker = tree && new ProofChecker(tree, proofs!, unproven);
  try {
    const events = await sharedEvents(files, checker);
    const batches = new BatchTable();
    checker?.expectAscending();
    const cursor = files.open('batches.jsonl');
    const batchCount = await eachBatch(cursor, batches, checker);
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

async function treeOf(
  files: BundleFiles,
  organization: string,
  verifierKey: string | undefined,
  verifyEd25519: VerifyEd25519,
): Promise<BundledTree> {
  let note = '';
  await files.each('checkpoint.jsonl', ({ value, place }) => {
    if (note !== '') throw new RefusedBundle(`${place}: a bundle has one checkpoint`);
    ({ note } = requireMembers<{ note: string }>(value, place, { note: 'string' }));
  });
  const continued = new Map<number, readonly string[]>();
  let last = -1;
  await files.each('consistency.jsonl', ({ value, place }) => {
    const kinds = { size: 'integer', hashes: 'list' } as const;
    const { size, hashes } = requireMembers<{ size: number; hashes: unknown }>(value, place, kinds);
    if (size <= last) throw new RefusedBundle(`${place}: size ${size} comes after ${last}`);
    last = size;
    continued.set(size, textsOf(hashes, place));
  });
  return readTree({ note, organization, continued }, verifierKey, verifyEd25519);
}

/** The parts have the streams of a customer. */
const OWN = /^(?:account|customer|document|subscription)$/;

async function sharedEvents(files: BundleFiles, checker: ProofChecker | undefined) {
  const streams = new Map<string, RecordedEvent[]>();
  const [assigned, faults] = [new Map<string, string>(), [] as string[]];
  const reader = new EventReader(files.manifest.org);
  let series: { readonly day: string; readonly all: Assignment[] } | undefined;
  const endSeries = (): void => {
    if (series) faults.push(...faultsOfChain(series.day, series.all));
    series = undefined;
  };
  const cursor = files.open(nameInPart('events', SHARED_PART));
  try {
    for (let next = await cursor.more(); next; next = cursor.next ?? (await cursor.more())) {
      const line = eventLineOf(next);
      const category = categoryOf(line.stream);
      if (OWN.test(category)) {
        throw new RefusedBundle(`${next.place}: ${line.stream} is the stream of one customer`);
      }
      const { stored, lifted } = reader.read(line, next.place);
      cursor.pass();
      await checker?.check(stored, (position) => leafTextOf(next.text, line, position));
      if (category === 'numberseries') {
        const day = entityOf(line.stream);
        if (series?.day !== day) endSeries();
        series ??= { day, all: [] };
        for (const one of assignmentsOf(lifted, next.place)) {
          series.all.push(one);
          assigned.set(one.invoiceId, one.number);
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
  ...{ chainHash: 'string', invoiceId: 'string', number: 'string', resultHash: 'string' },
};

/** @throws RefusedBundle */
function assignmentsOf({ data }: RecordedEvent, place: string): Assignment[] {
  const { assignments } = withMembers<{ assignments: unknown[] }>(data, `${place}: data`, {
    assignments: 'list',
  });
  return assignments.map((one) => withMembers<Assignment>(one, `${place}: an assignment`, ASSIGNMENT));
}

/** @returns the number of batches */
async function eachBatch(
  cursor: LineCursor,
  batches: BatchTable,
  checker: ProofChecker | undefined,
): Promise<number> {
  let last = 0;
  try {
    for (let next = await cursor.more(); next; next = cursor.next ?? (await cursor.more())) {
      const batch = batchOf(next);
      const { number } = batch;
      if (number <= last) throw new RefusedBundle(`${next.place}: batch ${number} comes after ${last}`);
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
