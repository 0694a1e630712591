import type { Invoice } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { formatAmount } from '../shared/amount.js';
import { sumExactly } from '../shared/exact-sum.js';
import { ActionDialog } from './action-dialog.js';
import { Choice } from './field-options.js';
import { oneOf } from './form-search.js';

const REBILL = {
  no: 'Bill the amounts with the next invoice',
  yes: 'Bill the amounts again now',
};

const INITIAL: { readonly rebill: keyof typeof REBILL } = { rebill: 'no' };

const SHAPE = { rebill: oneOf(REBILL) };

interface VoidInvoiceProps {
  readonly customerId: string;
  readonly invoice: Pick<Invoice, 'invoice_id' | 'invoice_number' | 'payment_status'>;
}

export function VoidInvoiceAction({ customerId, invoice }: VoidInvoiceProps) {
  const { invoice_id: id, invoice_number: number, payment_status: status } = invoice;
  return (
    <ActionDialog
      label="Void invoice"
      title={`Void the invoice ${number ?? id}`}
      look="danger"
      on={id}
      customerId={customerId}
      initial={INITIAL}
      shape={SHAPE}
      fields={({ rebill }, change) => (
        <Choice
          label="Afterwards"
          value={rebill}
          options={REBILL}
          onChange={(value) => change({ rebill: value as keyof typeof REBILL })}
        />
      )}
      preview={async ({ rebill }) => {
        const isRebilled = rebill === 'yes';
        const [voided, again] = await Promise.all([
          recount.getInvoice(id),
          isRebilled ? recount.voidInvoice(id, { rebill: true }, { preview: true }) : { invoices: [] },
        ]);
        const { amount, cost_due: due, currency } = voided;
        // Reductions by other invoices become a credit (docs/billing.md#voids).
        const reduced = sumExactly([amount, -due]);
        return {
          changes: [
            { name: 'Status', now: status, then: 'voided' },
            {
              name: 'Amounts',
              now: 'billed',
              then: isRebilled ? 'billed again now' : 'billed again with the next invoice',
            },
            ...(reduced > 0
              ? [{ name: 'Credit granted', now: '–', then: formatAmount(reduced, currency.code) }]
              : []),
          ],
          invoices: {
            caption: isRebilled
              ? 'The invoice, and the one that bills it again'
              : 'Lines that no longer count',
            headers: { now: 'This invoice', then: isRebilled ? 'New invoice' : 'Afterwards' },
            now: [voided],
            then: again.invoices,
          },
        };
      }}
      execute={({ rebill }, options) => recount.voidInvoice(id, { rebill: rebill === 'yes' }, {}, options)}
      done="The invoice has been voided."
    />
  );
}
