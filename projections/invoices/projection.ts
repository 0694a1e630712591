import { isZero, quantity } from '../../src/kernel/quantity.js';
import { entityOf, type RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { defineProjection } from '../events.js';
import { change, put, type RowChange } from '../runtime/projection.js';
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
    InvoiceComputed: (event) => {
      const {
        data,
        metadata: { org },
        revision,
      } = event;
      return [
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
          changeInvoice(event, invoiceId, (row) => paidBy(row, amount)),
        ),
      ];
    },
    InvoiceIssued: (event) => [
      changeInvoice(event, event.data.invoiceId, (row) => ({
        ...row,
        invoice_number: event.data.number,
        issued_at: event.data.issuedAt,
        payment_status: isZero(quantity(row.cost_due)) ? 'paid' : 'unpaid',
      })),
    ],
    InvoicePaid: (event) => [
      changeInvoice(event, event.data.invoiceId, (row) => ({
        ...paidBy(row, event.data.amount),
        paid_at: event.data.paidAt,
      })),
    ],
    InvoiceVoided: (event) => [
      changeInvoice(event, event.data.invoiceId, (row) => ({
        ...row,
        cost_due: '0',
        payment_status: 'voided',
        voided_at: event.data.voidedAt,
      })),
    ],
    PaymentLinked: (event) => [
      changeInvoice(event, event.data.invoiceId, (row) => ({
        ...row,
        external_payment_obj_id: event.data.payment.id,
        external_payment_obj_type: event.data.payment.type,
        external_payment_obj_status: event.data.payment.status,
      })),
    ],
  },
});

/** Changes the row of an invoice, if it exists. */
const changeInvoice = (
  { metadata: { org }, revision }: RecordedEvent,
  invoiceId: Uuid,
  update: (row: InvoiceRow) => InvoiceRow,
): RowChange =>
  change<InvoiceRow>(
    'invoices',
    { org, invoice_id: invoiceId },
    (row) => row && { ...update(row), stream_revision: revision.toString() },
  );
