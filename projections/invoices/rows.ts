import type { ComputedInvoice, InvoiceLine, UsageClose } from '../../src/billing/domain/event-data.js';
import type { Uuid } from '../../src/kernel/ids.js';
import {
  add,
  fromExact,
  fromStored,
  isZeroMoney,
  subtract,
  toDecimal,
  zero,
  type StoredMoney,
} from '../../src/kernel/money.js';
import { quantity, readExactText, toDecimalText } from '../../src/kernel/quantity.js';
import type { InvoiceLineRow, InvoiceRow, UsageCloseRow } from './schema.js';

/** An invoice as it is computed, not yet issued. @param revision of its InvoiceComputed */
export function invoiceRow(org: Uuid, invoice: ComputedInvoice, revision: bigint): InvoiceRow {
  const dates = invoice.lines.flatMap(({ localDates: { first, last } }) => [first, last]).sort();
  return {
    org,
    invoice_id: invoice.invoiceId,
    invoice_number: null,
    customer_key: invoice.customerKey,
    currency: invoice.currency,
    amount: decimal(invoice.total),
    cost_due: decimal(invoice.costDue),
    payment_status: 'draft',
    issued_at: invoice.issuedAt,
    due_at: invoice.dueAt,
    paid_at: null,
    voided_at: null,
    external_payment_obj_id: null,
    external_payment_obj_type: null,
    external_payment_obj_status: null,
    start_date: dates[0]!,
    end_date: dates.at(-1)!,
    run_id: invoice.runId,
    fingerprint: invoice.fingerprint,
    result_hash: invoice.resultHash,
    policy: invoice.policy,
    computed_revision: revision.toString(),
    stream_revision: revision.toString(),
  };
}

/** So much less is to be paid; where nothing is left it is paid. */
export function paidBy(row: InvoiceRow, amount: StoredMoney): InvoiceRow {
  const left = subtract(fromExact(quantity(row.cost_due), amount.currency), fromStored(amount));
  const isPaid = isZeroMoney(left) && row.payment_status === 'unpaid';
  return { ...row, cost_due: toDecimal(left), payment_status: isPaid ? 'paid' : row.payment_status };
}

export const invoiceLineRows = (org: Uuid, { invoiceId, currency, lines }: ComputedInvoice) =>
  lines.map((line, index) => lineRow(org, invoiceId, currency, line, index + 1));

function lineRow(
  org: Uuid,
  invoiceId: Uuid,
  currency: string,
  line: InvoiceLine,
  lineNo: number,
): InvoiceLineRow {
  const { plan, explanation, localDates, period } = line;
  return {
    org,
    invoice_id: invoiceId,
    line_no: lineNo,
    charge_key: line.chargeKey,
    subscription_id: line.subscriptionId,
    plan_id: plan?.planId ?? null,
    plan_version_id: plan?.versionId ?? null,
    plan_name: plan?.name ?? null,
    plan_version: plan?.version ?? null,
    subscription_filters: line.filters,
    addon_id: line.addon?.addonId ?? null,
    addon_subscription_id: line.addon?.addonSubscriptionId ?? null,
    addon_name: line.addon?.name ?? null,
    name: line.name,
    billing_type: line.billingType,
    start_at: period.start,
    end_at: period.end,
    scheduled_end: line.scheduledEnd,
    start_date: localDates.first,
    end_date: localDates.last,
    quantity: line.quantity,
    base: decimal(line.base),
    plan_adjustment: sumOf('plan_adjustment', line, currency),
    subtotal: decimal(line.subtotal),
    tax: sumOf('sales_tax', line, currency),
    amount: decimal(line.amount),
    adjustments: line.adjustments.map(({ amount, account, type }) => ({
      amount: decimal(amount),
      account,
      type,
    })),
    tax_rate: explanation.taxRate ?? null,
    rule: explanation.rule,
    fraction: explanation.fraction ?? null,
    close_id: explanation.closeId ?? null,
    previous_close_id: explanation.previousCloseId ?? null,
  };
}

export const usageCloseRow = (org: Uuid, customerKey: Uuid, close: UsageClose): UsageCloseRow => ({
  org,
  close_id: close.closeId,
  customer_key: customerKey,
  charge_key: close.chargeKey,
  subscription_id: close.subscriptionId,
  metric_id: close.metricId,
  window_start: close.window.start,
  window_end: close.window.end,
  quantity: toDecimalText(readExactText(close.quantity)),
  event_count: String(close.eventCount),
  absent_values: String(close.absentValues),
  sealed_up_to: close.sealedUpTo,
  digest: close.digest,
  supersedes: close.supersedes,
});

/** Decimal text in major units. */
const decimal = (amount: StoredMoney): string => toDecimal(fromStored(amount));

const sumOf = (
  type: InvoiceLine['adjustments'][number]['type'],
  { adjustments }: InvoiceLine,
  currency: string,
): string =>
  toDecimal(
    adjustments.reduce(
      (total, adjustment) => (adjustment.type === type ? add(total, fromStored(adjustment.amount)) : total),
      zero(currency),
    ),
  );
