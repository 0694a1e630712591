import { shownTime } from '../src/transparency/domain/cosignature.js';
import { verdictOf, type Report } from './report.js';
import type { VerifiedInvoice } from './verify-bundle.js';

/** Number of invoices whose text is made at once. */
const AT_ONCE = 100;

/** Yields the invoices of a report, some at a time: the text of all would be large. */
export function* someAtATime(
  invoices: readonly VerifiedInvoice[],
): Generator<readonly VerifiedInvoice[], void> {
  for (let at = 0; at < invoices.length; at += AT_ONCE) yield invoices.slice(at, at + AT_ONCE);
}

/**
 * Yields the report as `--json` prints it, one object on a line, in chunks.
 * @param showsPersonalData false: only whether the bundle proves it
 */
export function* jsonOf(report: Report, showsPersonalData: boolean): Generator<string, void> {
  const head = JSON.stringify({
    ok: verdictOf(report) === 'as issued',
    organization: report.organization,
    counts: report.counts,
    signature: report.signature,
    cosignatures: report.cosignatures.map((cosignature) => ({
      witness: cosignature.witness,
      key_id: cosignature.keyId,
      cosigned_at: shownTime(cosignature),
    })),
  });
  let separator = `${head.slice(0, -1)},"invoices":[`;
  for (const some of someAtATime(report.invoices)) {
    const text = some.map((invoice) => JSON.stringify(jsonOfInvoice(invoice, showsPersonalData))).join();
    yield `${separator}${text}`;
    separator = ',';
  }
  const tail = JSON.stringify({
    differences: report.differences,
    not_proven: report.notProven,
    further_invoices: report.further,
    expected: report.expected ?? null,
    seconds: report.seconds,
  });
  yield `${report.invoices.length === 0 ? separator : ''}],${tail.slice(1)}\n`;
}

const jsonOfInvoice = (
  { costDue, scale: _scale, resultHash, documents: _, document, personalData, ...invoice }: VerifiedInvoice,
  showsPersonalData: boolean,
) => ({
  ...invoice,
  cost_due: costDue,
  result_hash: resultHash,
  document: document ?? null,
  personal_data: personalData
    ? { result: personalData.result, ...(showsPersonalData && { data: personalData.data }) }
    : null,
  ok: invoice.differences.length === 0,
});
