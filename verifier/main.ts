import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { MalformedText } from '../src/transparency/domain/note.js';
import { checkContinues, checkProofs, type ProvenBundle } from './check-proofs.js';
import { Archive, RefusedBundle } from './read-archive.js';
import { readBundle, type Bundle } from './read-bundle.js';
import { faultsOfNumbers, verifyInvoices, type VerifiedInvoice } from './verify-bundle.js';

const USAGE = `Usage: recount-verify [--json] [--key KEY] [--since CHECKPOINT] [--expect INVOICE.pdf] BUNDLE.zip

Computes every invoice of an evidence bundle again and compares. It reads the file alone: no network, no database.

  --key KEY      the verifier key of the organization's log, from GET /api/audit/keys/
  --since FILE   a checkpoint that you have kept: the bundle's tree must continue it
  --expect FILE  the PDF must be one of the bundle's documents, byte by byte
  --json         one JSON object for programs

Exit codes: 0 all is as issued; 1 something differs; 2 the bundle is refused or cannot be read.
`;

interface Report {
  readonly organization: string;
  readonly counts: Bundle['counts'];
  readonly invoices: readonly VerifiedInvoice[];
  /** Differences that are not in the invoices. */
  readonly differences: readonly string[];
  readonly signature: string;
  readonly seconds: number;
}

/** Files and keys that an auditor has of their own. */
interface Held {
  readonly key: string | undefined;
  /** A checkpoint, as a signed note. */
  readonly since: string | undefined;
  /** Bytes of a PDF. */
  readonly expected: Uint8Array | undefined;
}

/** Verifies a bundle. @throws RefusedBundle */
async function verifyBundle(file: string, { key, since, expected }: Held): Promise<Report> {
  const began = performance.now();
  const archive = await Archive.open(file);
  try {
    const bundle = await readBundle(archive);
    const proven = checkProofs(bundle, key);
    if (key !== undefined && !proven) {
      throw new RefusedBundle('checkpoint.jsonl: the bundle has no checkpoint to be checked with the key');
    }
    const kept = since === undefined ? undefined : checkContinues(bundle, since, key);
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
  } finally {
    archive.close();
  }
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
  return proven.isSigned
    ? `good, over ${tree}`
    : `not checked, as no --key was given: proofs lead to ${tree}`;
}

function notAsExpected({ pdfs }: Bundle, expected: Uint8Array): string[] {
  const found = createHash('sha256').update(expected).digest('hex');
  const stated = [...pdfs.values()];
  if (stated.includes(found)) return [];
  if (stated.length === 0) return ['the bundle has no documents: export it with them to compare a PDF'];
  return [`the PDF has the SHA-256 ${found}, the documents of the bundle have ${stated.join(', ')}`];
}

/** Runs the command. @returns the exit code */
export async function run(argv: readonly string[], write: (text: string) => void): Promise<number> {
  let asJson = false;
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: {
        json: { type: 'boolean', default: false },
        key: { type: 'string' },
        since: { type: 'string' },
        expect: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    asJson = values.json;
    if (values.help) {
      write(USAGE);
      return 0;
    }
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new Error(`give one bundle\n\n${USAGE}`);
    const report = await verifyBundle(file, {
      key: values.key,
      since: values.since === undefined ? undefined : await readFile(values.since, 'utf8'),
      expected: values.expect === undefined ? undefined : await readFile(values.expect),
    });
    write(asJson ? `${JSON.stringify(jsonOf(report))}\n` : textOf(report));
    return isWell(report) ? 0 : 1;
  } catch (error) {
    const isRefused = error instanceof RefusedBundle || error instanceof MalformedText;
    const message = `${isRefused ? 'refused' : 'recount-verify'}: ${(error as Error).message}`;
    write(
      asJson ? `${JSON.stringify({ ok: false, refused: isRefused, detail: message })}\n` : `${message}\n`,
    );
    return 2;
  }
}

const isWell = ({ invoices, differences }: Report): boolean =>
  differences.length === 0 && invoices.every((invoice) => invoice.differences.length === 0);

const jsonOf = (report: Report) => ({
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

function textOf(report: Report): string {
  const { organization, counts, invoices, differences, signature, seconds } = report;
  const rows = invoices.map(({ number, lines, currency, costDue, differences: found }) => [
    number,
    String(lines),
    `${costDue} ${currency}`,
    found.length === 0 ? 'as issued' : 'DIFFERS',
  ]);
  const table = [['invoice', 'lines', 'to pay (minor units)', 'result'], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  const found = [
    ...invoices.flatMap((invoice) => invoice.differences.map((text) => `${invoice.number}: ${text}`)),
    ...differences,
  ];
  return [
    `${organization}: ${counts.events} events, ${counts.usage} usage events of ${counts.batches} batches`,
    '',
    ...table.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    ),
    '',
    ...found,
    `signature: ${signature}`,
    found.length === 0
      ? `${invoices.length} invoices computed again in ${seconds} s: all as issued`
      : `${found.length} differences`,
    '',
  ].join('\n');
}
