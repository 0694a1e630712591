import type { Subscription } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { formatEnd } from '../shared/period.js';
import { ActionDialog } from './action-dialog.js';
import { Choices, INVOICING } from './field-options.js';
import { oneOf, type FormShape } from './form-search.js';
import { compareInvoices } from './preview-invoices.js';

export interface CancelTerms {
  readonly fee: keyof typeof FEE;
  readonly usage: keyof typeof USAGE;
  readonly invoicing: keyof typeof INVOICING;
}

const FEE = {
  charge_prorated: 'Charge for the time used',
  charge_full: 'Charge in full',
  refund: 'Refund',
};

const USAGE = { bill_full: 'Bill what was used', bill_none: 'Do not bill it' };

export const CANCEL_INITIAL: CancelTerms = {
  fee: 'charge_prorated',
  usage: 'bill_full',
  invoicing: 'invoice_now',
};

export const cancelBody = ({ fee, usage, invoicing }: CancelTerms) => ({
  flat_fee_behavior: fee,
  usage_behavior: usage,
  invoicing_behavior: invoicing,
});

export const CANCEL_CHOICES = [
  { name: 'fee', label: 'Recurring charges', options: FEE },
  { name: 'usage', label: 'Usage', options: USAGE },
  { name: 'invoicing', label: 'Invoice', options: INVOICING },
] as const;

export const CANCEL_SHAPE: FormShape<CancelTerms> = {
  fee: oneOf(FEE),
  usage: oneOf(USAGE),
  invoicing: oneOf(INVOICING),
};

interface CancelProps {
  readonly customerId: string;
  readonly subscription: Subscription;
  /** Time zone of the customer. */
  readonly zone: string;
}

export function CancelAction({ customerId, subscription, zone }: CancelProps) {
  const { subscription_id: id, billing_plan: plan, end_date: end } = subscription;
  return (
    <ActionDialog
      label="Cancel now"
      title={`Cancel ${plan.plan_name} of ${customerId}`}
      look="danger"
      on={id}
      customerId={customerId}
      initial={CANCEL_INITIAL}
      shape={CANCEL_SHAPE}
      fields={(values, change) => <Choices of={CANCEL_CHOICES} value={values} onChange={change} />}
      preview={async (values) => ({
        changes: [{ name: 'End', now: formatEnd(end, zone), then: 'now' }],
        invoices: await compareInvoices(
          customerId,
          values.invoicing,
          await recount.cancelSubscription(id, cancelBody(values), { preview: true }),
        ),
      })}
      execute={(values, options) => recount.cancelSubscription(id, cancelBody(values), {}, options)}
      done="The subscription has been cancelled."
    />
  );
}
