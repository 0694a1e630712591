import type { Customer } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { ActionButton } from './action-button.js';
import { ChangeForm } from './change-form.js';
import { addressFields, REVERSE_CHARGE, TAX_IDS, type FormField } from './form-field.js';

/** Details that the customer's answer has as they were given, and not as the organization completes them. */
const DETAILS: readonly FormField[] = [
  { name: 'customer_name', label: 'Name' },
  { name: 'email', label: 'E-mail' },
  TAX_IDS,
  {
    name: 'tax_rate',
    label: 'Tax rate in percent',
    hint: 'Leave empty for that of the organization; 0 is exempt.',
    isNumber: true,
  },
  REVERSE_CHARGE,
  ...addressFields('billing_address'),
];

interface ChangeCustomerProps {
  readonly customerId: string;
  readonly customer: Customer;
}

/** Button that opens a form for the details of a customer. */
export const ChangeCustomer = ({ customerId, customer }: ChangeCustomerProps) => (
  <ActionButton label="Change details" title={`Change details of ${customerId}`}>
    {(dialog) => (
      <ChangeForm
        {...dialog}
        fields={DETAILS}
        resource={customer}
        label="Save details"
        save={(body) => recount.updateCustomer(customerId, body)}
        done="The details have been changed. Invoices already issued stay as they are."
      />
    )}
  </ActionButton>
);
