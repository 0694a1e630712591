import { createHash } from 'node:crypto';
import { MalformedText } from '../src/transparency/domain/note.js';
import type { Bundle, ProvenBundle } from './bundle.js';
import { checkContinues } from './check-proofs.js';
import type { Platform, Source } from './platform.js';
import { Archive } from './read-archive.js';
import { readBundle } from './read-bundle.js';
import { RefusedBundle } from './refused-bundle.js';
import { faultsOfNumbers, verifyInvoices, type VerifiedInvoice } from './verify-bundle.js';

export interface Report {
  readonly organization: string;
  readonly counts: Bundle['counts'];
  readonly invoices: readonly VerifiedInvoice[];
  /** Differences that are not in the invoices. */
  readonly differences: readonly string[];
  readonly signature: string;
  readonly seconds: number;
}

/** Files and keys that an auditor has of their own. */
export interface Held {
  readonly key: string | undefined;
  /** A checkpoint, as a signed note. */
  readonly since: string | undefined;
  /** Bytes of a PDF. */
  readonly expected: Uint8Array | undefined;
}

/** Verifies a bundle. @throws RefusedBundle */
export async function verifyBundle(
  source: Source,
  platform: Platform,
  { key, since, expected }: Held,
): Promise<Report> {
  const began = performance.now();
  const bundle = await readBundle(await Archive.open(source, platform), key, platform.verifyEd25519);
  const { proven } = bundle;
  if (key !== undefined && !proven) {
    throw new RefusedBundle('checkpoint.jsonl: the bundle has no checkpoint to be checked with the key');
  }
  const kept = since === undefined ? undefined : checkContinues(bundle, since, key, platform.verifyEd25519);
  const invoices: VerifiedInvoice[] = [];
  for await (const invoice of verifyInvoices(bundle)) invoices.push(invoice);
  const differences = [
    ...faultsOfNumbers(bundle),
    ...unprovenOf(proven, key),
    ...(expected ? notAsExpected(bundle, expected) : []),
  ];
  const seconds = Number(((performance.now() - began) / 1000).toFixed(2));
  const { organization, counts } = bundle;
  return {
    organization,
    counts,
    invoices,
    differences,
    signature: signatureOf(proven, kept?.size),
    seconds,
  };
}

/** With a key every event must be proven: a proof left out would hide a change. */
function unprovenOf(proven: ProvenBundle | undefined, key: string | undefined): string[] {
  if (key === undefined || !proven || proven.unproven.length === 0) return [];
  return [
    `${proven.unproven.length} events and batches are not in the signed tree, the first is ${proven.unproven[0]}: make a checkpoint and export again`,
  ];
}

function signatureOf(proven: ProvenBundle | undefined, kept: number | undefined): string {
  if (!proven) return 'not checked: the bundle has no signed checkpoint';
  const continued = kept === undefined ? '' : `, which continues your checkpoint of ${kept} leaves`;
  const tree = `a tree of ${proven.size} leaves${continued}, ${proven.unproven.length} events and batches came later`;
  return proven.isSigned ? `good, over ${tree}` : `not checked, as no key was given: proofs lead to ${tree}`;
}

function notAsExpected({ pdfs }: Bundle, expected: Uint8Array): string[] {
  const found = createHash('sha256').update(expected).digest('hex');
  const stated = [...pdfs.values()];
  if (stated.includes(found)) return [];
  if (stated.length === 0) return ['the bundle has no documents: export it with them to compare a PDF'];
  return [`the PDF has the SHA-256 ${found}, the documents of the bundle have ${stated.join(', ')}`];
}

export const isWell = ({ invoices, differences }: Report): boolean =>
  differences.length === 0 && invoices.every((invoice) => invoice.differences.length === 0);

/** The report as `--json` prints it. */
export const jsonOf = (report: Report) => ({
  ok: isWell(report),
  organization: report.organization,
  counts: report.counts,
  signature: report.signature,
  invoices: report.invoices.map(({ costDue, resultHash, ...invoice }) => ({
    ...invoice,
    cost_due: costDue,
    result_hash: resultHash,
    ok: invoice.differences.length === 0,
  })),
  differences: report.differences,
  seconds: report.seconds,
});

/** The JSON for a bundle that could not be verified. */
export function jsonOfFailure(error: unknown): { ok: false; refused: boolean; detail: string } {
  const refused = error instanceof RefusedBundle || error instanceof MalformedText;
  return {
    ok: false,
    refused,
    detail: `${refused ? 'refused' : 'recount-verify'}: ${(error as Error).message}`,
  };
}

/** The columns of the table of invoices. */
export const COLUMNS = ['invoice', 'lines', 'to pay (minor units)', 'result'] as const;

export const rowOf = ({
  number,
  lines,
  currency,
  costDue,
  differences,
}: VerifiedInvoice): readonly string[] => [
  number,
  String(lines),
  `${costDue} ${currency}`,
  differences.length === 0 ? 'as issued' : 'DIFFERS',
];

/** Every difference in one sentence, that of an invoice with its number. */
export const sentencesOf = ({ invoices, differences }: Report): readonly string[] => [
  ...invoices.flatMap((invoice) => invoice.differences.map((text) => `${invoice.number}: ${text}`)),
  ...differences,
];
