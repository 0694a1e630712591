import type { Instant } from '../../kernel/instant.js';
import type { SubscriptionFilter } from '../../subscription/domain/events.js';
import type {
  ComputedInvoice,
  ExternalPayment,
  InvoiceLine,
  ClosedUsagePeriod,
} from '../accounts/domain/event-data.js';
import type { Uuid } from '../../kernel/ids.js';
import {
  addMoney,
  fromExact,
  fromStored,
  isZeroMoney,
  subtractMoney,
  toDecimal,
  zero,
  type StoredMoney,
} from '../../kernel/money.js';
import { quantity, readExactText, toDecimalText } from '../../kernel/quantity.js';

export type PaymentStatus = 'draft' | 'unpaid' | 'paid' | 'voided';

/** Amounts are decimal text in major units, as `numeric` columns come back. */
export interface InvoiceRow {
  org: string;
  invoice_id: string;
  invoice_number: string | null;
  customer_key: string;
  currency: string;
  amount: string;
  cost_due: string;
  payment_status: PaymentStatus;
  issued_at: Instant;
  due_at: Instant | null;
  paid_at: Instant | null;
  voided_at: Instant | null;
  external_payment_obj_id: string | null;
  external_payment_obj_type: ExternalPayment['type'];
  external_payment_obj_status: string | null;
  start_date: string;
  end_date: string;
  run_id: string;
  fingerprint: string;
  result_hash: string;
  policy: string;
  computed_revision: string;
  stream_revision: string;
}

export interface InvoiceLineRow {
  org: string;
  invoice_id: string;
  line_no: number;
  charge_key: string;
  subscription_id: string | null;
  plan_id: string | null;
  plan_version_id: string | null;
  plan_name: string | null;
  plan_version: number | null;
  subscription_filters: readonly SubscriptionFilter[] | null;
  addon_id: string | null;
  addon_subscription_id: string | null;
  addon_name: string | null;
  name: string;
  billing_type: InvoiceLine['billingType'];
  start_at: Instant;
  end_at: Instant;
  scheduled_end: boolean;
  start_date: string;
  end_date: string;
  quantity: string | null;
  base: string;
  plan_adjustment: string;
  subtotal: string;
  tax: string;
  amount: string;
  adjustments: readonly { readonly amount: string; readonly account: string; readonly type: string }[];
  tax_rate: string | null;
  rule: InvoiceLine['explanation']['rule'];
  fraction: string | null;
  close_id: string | null;
  previous_close_id: string | null;
}

export interface ClosedUsagePeriodRow {
  org: string;
  close_id: string;
  customer_key: string;
  charge_key: string;
  subscription_id: string;
  metric_id: string;
  window_start: Instant;
  window_end: Instant;
  quantity: string;
  event_count: string;
  absent_values: string;
  sealed_up_to: string;
  digest: string;
  supersedes: string | null;
}

/** Converts a computed invoice, which has no number yet, to its row. @param revision of its InvoiceComputed */
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

/** Reduces the cost due; an invoice with nothing left to pay is paid. */
export function paidBy(row: InvoiceRow, amount: StoredMoney): InvoiceRow {
  const left = subtractMoney(fromExact(quantity(row.cost_due), amount.currency), fromStored(amount));
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

export const closedUsagePeriodRow = (
  org: Uuid,
  customerKey: Uuid,
  closedPeriod: ClosedUsagePeriod,
): ClosedUsagePeriodRow => ({
  org,
  close_id: closedPeriod.closeId,
  customer_key: customerKey,
  charge_key: closedPeriod.chargeKey,
  subscription_id: closedPeriod.subscriptionId,
  metric_id: closedPeriod.metricId,
  window_start: closedPeriod.window.start,
  window_end: closedPeriod.window.end,
  quantity: toDecimalText(readExactText(closedPeriod.quantity)),
  event_count: String(closedPeriod.eventCount),
  absent_values: String(closedPeriod.absentValues),
  sealed_up_to: closedPeriod.sealedUpTo,
  digest: closedPeriod.digest,
  supersedes: closedPeriod.supersedes,
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
      (total, adjustment) =>
        adjustment.type === type ? addMoney(total, fromStored(adjustment.amount)) : total,
      zero(currency),
    ),
  );
