import { parseArgs } from 'node:util';
import { onOneLine, printable } from '../src/kernel/printable-text.js';
import { sentenceOf } from './check-cosignatures.js';
import { sentenceOfFurther } from './left-out.js';
import { nodePlatform, openFile, readWhole } from './node/node-platform.js';
import { startPartThread, type PartThread } from './node/part-thread.js';
import {
  COLUMNS,
  jsonOfFailure,
  NO_KEY,
  rowOf,
  sentencesOf,
  verdictOf,
  verifyBundle,
  type Held,
  type Report,
} from './report.js';
import { jsonOf, someAtATime } from './report-json.js';
import type { VerifiedInvoice } from './verify-bundle.js';

const USAGE = `Usage: recount-verify [--json] --key KEY [--witness KEY]… [--since CHECKPOINT [--consistency PROOF]] [--expect INVOICE.pdf] [--show-personal-data] BUNDLE.zip
       recount-verify [--json] --without-signature BUNDLE.zip

Computes every invoice of an evidence bundle again and compares. It reads the file alone: no network, no database.

  --key KEY           the verifier key of the organization's log, from GET /api/audit/keys/
  --witness KEY       the verifier key of a witness that must have cosigned the checkpoint; may be given several times
  --since FILE        a checkpoint that you have kept: the bundle's tree must continue it
  --consistency FILE  an answer of GET /api/audit/consistency/, for a kept checkpoint that the bundle has no proof for
  --expect FILE       the PDF must be a document whose hash an event of the bundle records
  --show-personal-data  prints the customers' details as of each invoice, where the bundle discloses them
  --without-signature compares the arithmetic alone: whether the events are those of the past stays open
  --json              one JSON object for programs

Exit codes: 0 all is as issued; 1 something differs; 2 the bundle is refused or cannot be read; 3 nothing differs, but not
all is proven: no key was given, or a proof is missing; 141 the reader of the output has left, as with | head.
`;

/** 2 is that of a bundle that is refused or cannot be read. */
const EXIT_CODES = { 'as issued': 0, differs: 1, 'not proven': 3 } as const;

/**
 * Runs the command.
 * @param entry module that verifies parts in a second thread; without it one thread does all
 * @returns the exit code
 */
export async function run(
  argv: readonly string[],
  write: (text: string) => void,
  entry?: URL,
): Promise<number> {
  let asJson = false;
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: {
        json: { type: 'boolean', default: false },
        key: { type: 'string' },
        'without-signature': { type: 'boolean', default: false },
        witness: { type: 'string', multiple: true, default: [] },
        since: { type: 'string' },
        consistency: { type: 'string' },
        expect: { type: 'string' },
        'show-personal-data': { type: 'boolean', default: false },
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
    if (values.key !== undefined && values['without-signature'])
      throw new Error('give --key or --without-signature');
    const held = {
      key: values.key,
      withoutSignature: values['without-signature'],
      witnesses: values.witness,
      since: await textOfFile(values.since),
      consistency: await textOfFile(values.consistency),
      expected: values.expect === undefined ? undefined : await readWhole(values.expect),
    };
    const report = await verifyFile(file, held, entry);
    const shows = values['show-personal-data'];
    for (const chunk of asJson ? jsonOf(report, shows) : textOf(report, shows)) write(printable(chunk));
    return EXIT_CODES[verdictOf(report)];
  } catch (error) {
    const failure = jsonOfFailure(error);
    const detail = failure.refused ? onOneLine(failure.detail) : printable(failure.detail);
    write(asJson ? `${onOneLine(JSON.stringify(failure))}\n` : `${detail}\n`);
    return 2;
  }
}

const textOfFile = async (file: string | undefined): Promise<string | undefined> =>
  file === undefined ? undefined : (await readWhole(file)).toString('utf8');

async function verifyFile(file: string, held: Held, entry: URL | undefined): Promise<Report> {
  const source = await openFile(file);
  const threads: PartThread[] = [];
  try {
    return await verifyBundle(source, nodePlatform, held, (shared, parts) => {
      if (entry) threads.push(...startPartThread(entry, file, shared, parts));
      return threads;
    });
  } finally {
    for (const thread of threads) await thread.close();
    await source.close();
  }
}

const OPTIONS_FOR_KEY = ' (--key), or ask for the arithmetic alone (--without-signature)';

/** Yields the table and the sentences below it, in chunks. */
export function* textOf(report: Report, showsPersonalData: boolean): Generator<string, void> {
  const { organization, counts, invoices, notProven, further, expected, signature, cosignatures, seconds } =
    report;
  const widths = COLUMNS.map((name) => name.length);
  for (const invoice of invoices) {
    for (const [column, cell] of cellsOf(invoice).entries())
      widths[column] = Math.max(widths[column]!, cell.length);
  }
  const line = (row: readonly string[]): string =>
    `${row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()}\n`;
  yield `${organization}: ${counts.events} events, ${counts.usage} usage events of ${counts.batches} batches\n\n${line(COLUMNS)}`;
  for (const some of someAtATime(invoices)) yield some.map((invoice) => line(cellsOf(invoice))).join('');
  yield '\n';
  for (const some of showsPersonalData ? someAtATime(invoices) : []) yield some.map(personOf).join('');
  const found = sentencesOf(report);
  for (const sentence of found) yield `${onOneLine(sentence)}\n`;
  yield [
    `signature: ${signature}`,
    ...cosignatures.map((cosignature) => `cosigned: by ${sentenceOf(cosignature)}`),
    ...(expected ? [`expected PDF: the document of ${expected.invoice} (${expected.kind})`] : []),
    ...(further.length > 0 ? [`not in the bundle: ${sentenceOfFurther(further)}`] : []),
    ...notProven.map((sentence) => `not proven: ${sentence}${sentence === NO_KEY ? OPTIONS_FOR_KEY : ''}`),
    found.length > 0
      ? `${found.length} ${found.length === 1 ? 'difference' : 'differences'}`
      : `${invoices.length} ${invoices.length === 1 ? 'invoice' : 'invoices'} computed again in ${seconds} s: ${notProven.length > 0 ? 'as issued, but not all is proven' : 'all as issued'}`,
    '',
  ]
    .map(onOneLine)
    .join('\n');
}

/** Returns the cells of an invoice. Its text comes from the bundle, so it may have any characters. */
const cellsOf = (invoice: VerifiedInvoice): string[] => rowOf(invoice).map(onOneLine);

/** Returns the line of the customer of an invoice, where the bundle discloses it. */
const personOf = ({ number, personalData }: VerifiedInvoice): string =>
  personalData
    ? `customer of ${onOneLine(number)}, ${personalData.result}: ${JSON.stringify(personalData.data)}\n`
    : '';
