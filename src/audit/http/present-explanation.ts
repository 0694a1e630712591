import type { ComputedInvoice } from '../../billing/accounts/domain/event-data.js';
import { toWireId } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import { fromStored, sumMoney, toJsonNumber, type StoredMoney } from '../../kernel/money.js';
import type { WireOf } from '../../platform/http/openapi/schema.js';
import type { ExplainedInvoice } from '../queries/explain-invoice.js';
import type { INVOICE_EXPLANATION } from './audit-schema.js';
import { presenterBy } from './present-event.js';
import { presentExplainedLine } from './present-explained-line.js';

export type InvoiceExplanation = WireOf<typeof INVOICE_EXPLANATION>;

export function presentExplanation({
  number,
  computed,
  lines,
  actors,
}: ExplainedInvoice): InvoiceExplanation {
  const { invoiceId, asOf, policy, fingerprint, resultHash, inputs } = computed.data;
  const referenceTo = presenterBy(actors);
  return {
    invoice_id: toWireId('invoice', invoiceId),
    invoice_number: number,
    as_of: formatInstant(asOf),
    policy,
    fingerprint,
    result_hash: resultHash,
    computed_by: referenceTo(computed),
    inputs,
    totals: totalsOf(computed.data),
    lines: lines.map((line, index) => presentExplainedLine(line, index, referenceTo)),
  };
}

function totalsOf({ lines, currency, costDue }: ComputedInvoice) {
  const sumOf = (amounts: readonly StoredMoney[]) =>
    toJsonNumber(sumMoney(currency, amounts.map(fromStored)));
  return {
    base: sumOf(lines.map(({ base }) => base)),
    adjustments: sumOf(lines.flatMap(({ adjustments }) => adjustments.map(({ amount }) => amount))),
    amount: sumOf(lines.map(({ amount }) => amount)),
    cost_due: toJsonNumber(fromStored(costDue)),
  };
}
