import type { DuePaymentRow } from '../../src/billing/read-models/due.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import {
  fromExact,
  fromStored,
  isNegativeMoney,
  isZeroMoney,
  type StoredMoney,
  subtractMoney,
  toDecimal,
} from '../../src/kernel/money.js';
import { quantity } from '../../src/kernel/quantity.js';
import { defineProjection } from '../events.js';
import { change, type RowChange } from '../runtime/projection.js';
import { duePayments } from './tables.js';

/** Read model of the scheduler's search for invoices past due. */
export const duePaymentsProjection = defineProjection({
  name: 'due-payments',
  version: 2,
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
              cost_due: toDecimal(fromStored(data.costDue)),
            })),
          ]
        : []),
      ...data.reductions.map(({ invoiceId, amount }) =>
        ofInvoice(org, invoiceId, (row) => row && reduced(row, amount)),
      ),
    ],
    InvoicePaid: settled,
    InvoicePastDue: settled,
    InvoiceVoided: settled,
  },
});

/** Row with the unpaid remainder; undefined when the invoice is paid. */
function reduced(row: DuePaymentRow, amount: StoredMoney): DuePaymentRow | undefined {
  const left = subtractMoney(fromExact(quantity(row.cost_due), amount.currency), fromStored(amount));
  return isZeroMoney(left) || isNegativeMoney(left) ? undefined : { ...row, cost_due: toDecimal(left) };
}

function settled({ data, metadata }: RecordedEvent<{ type: string; data: { readonly invoiceId: Uuid } }>) {
  return [ofInvoice(metadata.org, data.invoiceId, () => undefined)];
}

const ofInvoice = (
  org: Uuid,
  invoiceId: Uuid,
  next: (row: DuePaymentRow | undefined) => DuePaymentRow | undefined,
): RowChange => change<DuePaymentRow>('due_payments', { org, invoice_id: invoiceId }, next);
