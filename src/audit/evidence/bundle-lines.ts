import { canonicalJson } from '../../kernel/canonical-json.js';
import { toWireId, type Uuid } from '../../kernel/ids.js';
import { FORMAT_VERSION, PERSONAL_DATA_VERSION, type FileSummary } from './domain/bundle-format.js';
import type { BundledInvoice } from './evidence-selection.js';

/** Line of a file of invoices. */
export const invoiceLine = ({ number, stream, revision, computed }: BundledInvoice): object => ({
  cost_due: computed.costDue,
  currency: computed.currency,
  due_at: computed.dueAt,
  fingerprint: computed.fingerprint,
  id: toWireId('invoice', computed.invoiceId),
  issued_at: computed.issuedAt,
  lines: computed.lines,
  number,
  result_hash: computed.resultHash,
  revision: Number(revision),
  stream,
  total: computed.total,
});

/** Bytes of `manifest.json`. */
export const manifestOf = (
  org: Uuid,
  invoices: readonly string[],
  files: Readonly<Record<string, FileSummary>>,
  withPersonalData: boolean,
): Buffer =>
  Buffer.from(
    `${canonicalJson({
      files,
      format: 'recount-evidence',
      invoices,
      organization: toWireId('org', org),
      version: withPersonalData ? PERSONAL_DATA_VERSION : FORMAT_VERSION,
    })}\n`,
  );
