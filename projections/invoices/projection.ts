import { isZero, quantity } from '../../src/kernel/quantity.js';
import { entityOf } from '../../src/kernel/event.js';
import { defineProjection } from '../events.js';
import { change, put } from '../runtime/projection.js';
import {
  type InvoiceLineRow,
  invoiceLineRows,
  invoiceRow,
  type InvoiceRow,
  paidBy,
  type ClosedUsagePeriodRow,
  closedUsagePeriodRow,
} from '../../src/billing/read-models/invoices.js';
import { invoiceLines, invoices, closedUsagePeriods } from './tables.js';

/** Invoices, their lines, and the usage counts behind them. */
export const invoicesProjection = defineProjection({
  name: 'invoices',
  version: 6,
  tables: { invoices, invoice_lines: invoiceLines, usage_closes: closedUsagePeriods },
  on: {
    UsagePeriodClosed: ({ data, metadata: { org }, stream }) => {
      const customerKey = entityOf(stream).split('.')[0]!;
      const key = { org, close_id: data.closeId };
      return [put<ClosedUsagePeriodRow>('usage_closes', key, closedUsagePeriodRow(org, customerKey, data))];
    },
    InvoiceComputed: ({ data, metadata: { org }, revision }) => [
      change<InvoiceRow>(
        'invoices',
        { org, invoice_id: data.invoiceId },
        (row) => row ?? invoiceRow(org, data, revision),
      ),
      ...invoiceLineRows(org, data).map((line) =>
        put<InvoiceLineRow>(
          'invoice_lines',
          { org, invoice_id: line.invoice_id, line_no: line.line_no },
          line,
        ),
      ),
      ...data.reductions.map(({ invoiceId, amount }) =>
        change<InvoiceRow>(
          'invoices',
          { org, invoice_id: invoiceId },
          (row) => row && { ...paidBy(row, amount), stream_revision: revision.toString() },
        ),
      ),
    ],
    InvoiceIssued: ({ data, metadata: { org }, revision }) => [
      change<InvoiceRow>(
        'invoices',
        { org, invoice_id: data.invoiceId },
        (row) =>
          row && {
            ...row,
            invoice_number: data.number,
            issued_at: data.issuedAt,
            payment_status: isZero(quantity(row.cost_due)) ? 'paid' : 'unpaid',
            stream_revision: revision.toString(),
          },
      ),
    ],
    InvoicePaid: ({ data, metadata: { org }, revision }) => [
      change<InvoiceRow>(
        'invoices',
        { org, invoice_id: data.invoiceId },
        (row) =>
          row && { ...paidBy(row, data.amount), paid_at: data.paidAt, stream_revision: revision.toString() },
      ),
    ],
    InvoiceVoided: ({ data, metadata: { org }, revision }) => [
      change<InvoiceRow>(
        'invoices',
        { org, invoice_id: data.invoiceId },
        (row) =>
          row && {
            ...row,
            cost_due: '0',
            payment_status: 'voided',
            voided_at: data.voidedAt,
            stream_revision: revision.toString(),
          },
      ),
    ],
    PaymentLinked: ({ data, metadata: { org }, revision }) => [
      change<InvoiceRow>(
        'invoices',
        { org, invoice_id: data.invoiceId },
        (row) =>
          row && {
            ...row,
            external_payment_obj_id: data.payment.id,
            external_payment_obj_type: data.payment.type,
            external_payment_obj_status: data.payment.status,
            stream_revision: revision.toString(),
          },
      ),
    ],
  },
});
