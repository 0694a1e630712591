import type { DuePaymentRow } from '../../src/billing/read-models/due.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { defineProjection } from '../events.js';
import { change, type RowChange } from '../runtime/projection.js';
import { duePayments } from './schema.js';

/** Read model for the scheduler's search of invoices past due. */
export const duePaymentsProjection = defineProjection({
  name: 'due-payments',
  version: 1,
  tables: { due_payments: duePayments },
  on: {
    InvoiceComputed: ({ data, metadata: { org } }) => [
      ...(data.dueAt && data.costDue.amount !== '0'
        ? [
            ofInvoice(org, data.invoiceId, () => ({
              org,
              invoice_id: data.invoiceId,
              customer_key: data.customerKey,
              currency: data.currency,
              due_at: data.dueAt!,
              cost_due: data.costDue.amount,
            })),
          ]
        : []),
      ...data.reductions.map(({ invoiceId, amount }) =>
        ofInvoice(org, invoiceId, (row) => {
          const left = BigInt(row?.cost_due ?? 0) - BigInt(amount.amount);
          return row && left > 0n ? { ...row, cost_due: left.toString() } : undefined;
        }),
      ),
    ],
    InvoicePaid: settled,
    InvoicePastDue: settled,
    InvoiceVoided: settled,
  },
});

function settled({ data, metadata }: RecordedEvent<{ type: string; data: { readonly invoiceId: Uuid } }>) {
  return [ofInvoice(metadata.org, data.invoiceId, () => undefined)];
}

const ofInvoice = (
  org: Uuid,
  invoiceId: Uuid,
  next: (row: DuePaymentRow | undefined) => DuePaymentRow | undefined,
): RowChange => change<DuePaymentRow>('due_payments', { org, invoice_id: invoiceId }, next);
