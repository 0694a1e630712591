import { contentHash } from '../../kernel/canonical-json.js';
import { DAY, plusMicros } from '../../kernel/instant.js';
import { toStored, type Money } from '../../kernel/money.js';
import { accountRevision } from '../accounts/domain/account-state.js';
import type { ComputedInvoice, RunInputs, TermBillingStatus } from '../accounts/domain/event-data.js';
import type { RunData } from './run.js';

/** The lines of an invoice and how its total is settled. */
export type InvoiceResult = Pick<ComputedInvoice, 'lines' | 'drawdowns' | 'grants' | 'reductions'> & {
  readonly total: Money;
};

/** Makes the data of `InvoiceComputed`: the result with dates, inputs and hashes. The sum of the lines is the cost due. */
export function invoiceRecord(
  { lines, drawdowns, grants, reductions, total }: InvoiceResult,
  measured: Pick<RunInputs, 'terms' | 'closeIds'>,
  statuses: readonly TermBillingStatus[],
  data: RunData,
): ComputedInvoice {
  const { asOf } = data;
  const costDue = toStored(total);
  const inputs = inputsOf(measured, data);
  const { paymentGraceDays } = data.organization.settings;
  return {
    runId: data.runId,
    invoiceId: data.invoiceId,
    customerKey: data.customerKey,
    currency: data.currency,
    asOf,
    issuedAt: asOf,
    dueAt: paymentGraceDays === null ? null : plusMicros(asOf, BigInt(paymentGraceDays) * DAY),
    lines,
    total: costDue,
    costDue,
    drawdowns,
    grants,
    reductions,
    inputs,
    fingerprint: contentHash(inputs),
    resultHash: contentHash({ costDue, drawdowns, grants, lines, reductions, total: costDue }),
    policy: data.policy,
    terms: statuses,
  };
}

/** The keys stand in canonical order, which is how they are hashed. */
const inputsOf = ({ terms, closeIds }: Pick<RunInputs, 'terms' | 'closeIds'>, data: RunData): RunInputs => ({
  accountRevision: accountRevision(data.account),
  asOf: data.asOf,
  closeIds,
  customerRevision: data.customer.revision,
  organizationRevision: data.organization.revision,
  policy: data.policy,
  terms,
});
