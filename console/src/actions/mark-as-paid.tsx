import type { InvoiceSummary } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { formatAmount } from '../shared/amount.js';
import { ActionDialog } from './action-dialog.js';
import { NEW_INVOICE } from './preview-invoices.js';

interface MarkAsPaidProps {
  readonly customerId: string;
  readonly invoice: Pick<
    InvoiceSummary,
    'invoice_id' | 'invoice_number' | 'payment_status' | 'cost_due' | 'currency'
  >;
}

/** Records that an unpaid invoice was paid outside of the service. */
export function MarkAsPaidAction({ customerId, invoice }: MarkAsPaidProps) {
  const { invoice_id: id, invoice_number: number, payment_status: status, cost_due: due, currency } = invoice;
  return (
    <ActionDialog
      label="Mark as paid"
      title={`Mark the invoice ${number ?? id} as paid`}
      on={id}
      customerId={customerId}
      initial={{}}
      shape={{}}
      preview={() =>
        Promise.resolve({
          changes: [
            { name: 'Status', now: status, then: 'paid' },
            {
              name: 'Amount due',
              now: formatAmount(due, currency.code),
              then: formatAmount(0, currency.code),
            },
          ],
          invoices: { ...NEW_INVOICE, now: [], then: [] },
        })
      }
      execute={(_values, options) => recount.updateInvoice(id, { payment_status: 'paid' }, options)}
      done="The invoice has been marked as paid."
    />
  );
}
