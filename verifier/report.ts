import { createHash } from 'node:crypto';
import { ascending } from '../src/kernel/ids.js';
import type { Cosignature } from '../src/transparency/domain/cosignature.js';
import { MalformedText } from '../src/transparency/domain/note.js';
import type { BundledTree, Counts, SharedEvidence } from './bundle.js';
import { allIssued, leftOutOf, missingDataOf, missingDocumentsOf } from './left-out.js';
import { addGaps, withoutGaps, type GapCount } from './evidence-gaps.js';
import {
  comparedDocument,
  findExpected,
  sentenceOfDocument,
  type ExpectedDocument,
} from './check-documents.js';
import { CosignatureChecker } from './check-cosignatures.js';
import { checkContinues } from './check-continued.js';
import type { VerifierPlatform, Source } from './platform.js';
import { Archive } from './read-archive.js';
import { BundleFiles, readManifest, type Manifest } from './read-manifest.js';
import { readShared } from './read-shared.js';
import { RefusedBundle } from './refused-bundle.js';
import type { VerifiedInvoice } from './verify-bundle.js';
import { PartVerifier, type VerifiedPart } from './verify-part.js';
import { verifyParts, type PartWorker } from './verify-parts.js';

export interface Report {
  readonly organization: string;
  readonly counts: Counts;
  readonly invoices: readonly VerifiedInvoice[];
  /** Differences outside of the invoices. */
  readonly differences: readonly string[];
  /** Sentences about what the auditor asked for and the files do not show; nothing contradicts it. */
  readonly notProven: readonly string[];
  /** Numbers of invoices that the events issue before or after those of the bundle. */
  readonly further: readonly string[];
  readonly signature: string;
  /** The document that the expected PDF is. */
  readonly expected: ExpectedDocument | undefined;
  /** Cosignatures of the witnesses that the auditor named. */
  readonly cosignatures: readonly Cosignature[];
  readonly seconds: number;
}

/** Files and keys of the auditor. */
export interface Held {
  readonly key: string | undefined;
  /** True to check the arithmetic alone: an unchecked signature is then no defect. */
  readonly withoutSignature: boolean;
  /** Verifier keys of witnesses, each of which must have cosigned the checkpoint. */
  readonly witnesses: readonly string[];
  /** Checkpoint, as a signed note. */
  readonly since: string | undefined;
  /** An answer of `GET /api/audit/consistency/` that leads from it to the checkpoint of the bundle. */
  readonly consistency: string | undefined;
  /** Bytes of a PDF. */
  readonly expected: Uint8Array | undefined;
}

/** Starts workers that verify parts beside this thread. */
type StartWorkers = (shared: SharedEvidence, parts: number) => readonly PartWorker[];

/** Verifies a bundle. @throws RefusedBundle */
export async function verifyBundle(
  source: Source,
  platform: VerifierPlatform,
  held: Held,
  startWorkers: StartWorkers = () => [],
): Promise<Report> {
  const archive = await Archive.open(source, platform);
  const files = new BundleFiles(archive, await readManifest(archive));
  try {
    return await verifyFiles(files, platform, held, startWorkers);
  } catch (error) {
    // Damaged files can fail anywhere, so the auditor learns that they are damaged.
    if (!isRefusal(error)) for (const name of files.names) await files.hash(name);
    throw error;
  }
}

async function verifyFiles(
  files: BundleFiles,
  platform: VerifierPlatform,
  { key, withoutSignature, witnesses, since, consistency, expected }: Held,
  startWorkers: StartWorkers,
): Promise<Report> {
  const began = performance.now();
  const { organization, parts } = files.manifest;
  const gaps = withoutGaps();
  const { shared, counts, faults } = await readShared(files, gaps, key, platform.verifyEd25519);
  const { tree } = shared;
  if (key !== undefined && !tree) {
    throw new RefusedBundle('checkpoint.jsonl: the bundle has no checkpoint to be checked with the key');
  }
  if (witnesses.length > 0 && key === undefined) {
    throw new Error('give the key of the log as well: witnesses cosign what it has signed');
  }
  const checker = new CosignatureChecker(witnesses, platform.verifyEd25519);
  const cosignatures = checker.required(tree?.note);
  if (since !== undefined) checker.requireNoneWrong(since);
  const kept =
    since === undefined
      ? undefined
      : checkContinues(tree, { note: since, consistency }, key, platform.verifyEd25519);
  const workers = [new PartVerifier(files, shared), ...startWorkers(shared, parts)];
  const verified = await verifyParts(workers, parts);
  for (const part of verified) {
    addGaps(gaps.unproven, part.gaps.unproven);
    addGaps(gaps.missing, part.gaps.missing);
  }
  const computed = verified.flatMap((part) => part.invoices);
  requireListed(files.manifest, computed);
  const { invoices, ...documents } = await withDocuments(files, computed);
  const found = expected && findExpected(createHash('sha256').update(expected).digest('hex'), invoices);
  const leftOut = leftOutOf(allIssued(verified.map((part) => part.issued)));
  const differences = [
    ...faults,
    ...unprovenOf(gaps.unproven, tree, key),
    ...documents.differences,
    ...(typeof found === 'string' ? [found] : []),
  ];
  return {
    organization,
    counts: {
      ...counts,
      events: counts.events + sumOf(verified, 'events'),
      usage: sumOf(verified, 'usage'),
      invoices: invoices.length,
    },
    invoices: invoices.sort((a, b) => ascending(a.number, b.number)),
    differences,
    notProven: [
      ...(key === undefined && !withoutSignature ? [NO_KEY] : []),
      ...(kept && 'notProven' in kept ? [kept.notProven] : []),
      ...missingOf(gaps.missing),
      ...leftOut.notProven,
      ...documents.notProven,
      ...missingDocumentsOf(invoices),
      ...unprovenDataOf(invoices),
      ...missingDataOf(invoices),
    ],
    further: leftOut.further,
    expected: typeof found === 'string' ? undefined : found,
    signature: signatureOf(
      tree,
      gaps.unproven.count,
      kept && 'before' in kept ? kept.before.size : undefined,
    ),
    cosignatures,
    seconds: Number(((performance.now() - began) / 1000).toFixed(2)),
  };
}

export const NO_KEY =
  'no key was given, so no signature is checked: nothing shows that the events are those of the past. Give the verifier key of the log';

const sumOf = (parts: readonly VerifiedPart[], name: 'events' | 'usage'): number =>
  parts.reduce((sum, { counts }) => sum + counts[name], 0);

/** @throws RefusedBundle */
function requireListed(manifest: Manifest, invoices: readonly VerifiedInvoice[]): void {
  const { length } = manifest.invoices;
  if (length === invoices.length && invoices.every(({ number }, at) => number === manifest.invoices[at]))
    return;
  throw new RefusedBundle('manifest.json: it lists other invoices than the files of invoices');
}

/** With a key every event must be proven: an omitted proof would hide a change. */
function unprovenOf(
  { count, first }: GapCount,
  tree: BundledTree | undefined,
  key: string | undefined,
): string[] {
  if (key === undefined || !tree || count === 0) return [];
  return [
    `${count} events and batches are not in the signed tree, the first is ${first}: make a checkpoint and export again`,
  ];
}

function missingOf({ count, first }: GapCount): string[] {
  if (count === 0) return [];
  return [
    `${count} events inside their streams are missing, the first is ${first}: the bundle leaves them out, unless another application writes to the streams of the service. Ask for a bundle with all events, or for the answer of recount doctor`,
  ];
}

function unprovenDataOf(invoices: readonly VerifiedInvoice[]): string[] {
  const stated = invoices.filter(({ personalData }) => personalData?.result === 'not proven');
  if (stated.length === 0) return [];
  return [
    `the personal data of ${stated.length} invoices, the first is ${stated[0]!.number}, is what the operator states: an earlier release sealed it without a key of its own. Let the customer's details be changed, so that later invoices have proven ones`,
  ];
}

function signatureOf(tree: BundledTree | undefined, unproven: number, kept: number | undefined): string {
  if (!tree) return 'not checked: the bundle has no signed checkpoint';
  const continued = kept === undefined ? '' : `, which continues your checkpoint of ${kept} leaves`;
  const told = `a tree of ${tree.size} leaves${continued}, ${unproven} events and batches came later`;
  return tree.isSigned ? `good, over ${told}` : `not checked, as no key was given: proofs lead to ${told}`;
}

/** Compares the documents of a bundle with the events. @throws RefusedBundle for one of no invoice */
async function withDocuments(files: BundleFiles, computed: readonly VerifiedInvoice[]) {
  const invoices = [...computed];
  const names = files.names.filter((name) => name.startsWith('pdfs/'));
  const indexes = new Map((names.length > 0 ? invoices : []).map(({ number }, index) => [number, index]));
  const [differences, notProven]: string[][] = [[], []];
  for (const name of names) {
    const number = name.slice('pdfs/'.length, -'.pdf'.length);
    const index = indexes.get(number);
    const invoice = index === undefined ? undefined : invoices[index];
    if (!invoice) throw new RefusedBundle(`${name}: the bundle has no invoice with this number`);
    const document = comparedDocument(await files.hash(name), invoice.documents);
    invoices[index!] = { ...invoice, document };
    if (document.result === 'as recorded') continue;
    const sentences = document.result === 'differs' ? differences! : notProven!;
    sentences.push(sentenceOfDocument(number, document, invoice.documents));
  }
  return { invoices, differences: differences!, notProven: notProven! };
}

/** The result of a verification: nothing differs, nothing differs but not all is proven, or something differs. */
type Verdict = 'as issued' | 'not proven' | 'differs';

export function verdictOf({ invoices, differences, notProven }: Report): Verdict {
  if (differences.length > 0 || invoices.some((invoice) => invoice.differences.length > 0)) return 'differs';
  return notProven.length > 0 ? 'not proven' : 'as issued';
}

const isRefusal = (error: unknown): boolean =>
  error instanceof RefusedBundle || error instanceof MalformedText;

/** Returns the JSON for a bundle that could not be verified. */
export function jsonOfFailure(error: unknown): { ok: false; refused: boolean; detail: string } {
  const refused = isRefusal(error);
  return {
    ok: false,
    refused,
    detail: `${refused ? 'refused' : 'recount-verify'}: ${(error as Error).message}`,
  };
}

/** Columns of the table of invoices. */
export const COLUMNS = ['invoice', 'lines', 'to pay', 'result', 'document'] as const;

export const rowOf = ({
  number,
  lines,
  currency,
  costDue,
  scale,
  differences,
  document,
}: VerifiedInvoice): readonly string[] => [
  number,
  String(lines),
  `${decimalOf(costDue, scale)} ${currency}`,
  differences.length === 0 ? 'as issued' : 'DIFFERS',
  document === undefined ? '–' : document.result === 'differs' ? 'DIFFERS' : document.result,
];

/** Returns every difference in one sentence; that of an invoice with its number. */
export const sentencesOf = ({ invoices, differences }: Report): readonly string[] => [
  ...invoices.flatMap((invoice) => invoice.differences.map((text) => `${invoice.number}: ${text}`)),
  ...differences,
];

/** No currency has more decimals. */
const MAX_DECIMALS = 8;

/** Writes minor units as a decimal; those of a forged event, which may be no number, as they stand there. */
function decimalOf(amount: string, scale: number): string {
  const [, sign = '', digits] = /^(-?)(\d+)$/.exec(amount) ?? [];
  if (digits === undefined || scale === 0 || scale > MAX_DECIMALS) return amount;
  const all = digits.padStart(scale + 1, '0');
  return `${sign}${all.slice(0, -scale)}.${all.slice(-scale)}`;
}
