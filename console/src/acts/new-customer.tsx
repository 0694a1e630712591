import { Link } from '@tanstack/react-router';
import type { CreateCustomerBody } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { Create } from './create.js';
import { addressFields, REVERSE_CHARGE, TAX_IDS, type FormField } from './form-field.js';

const FIELDS: readonly FormField[] = [
  {
    name: 'customer_id',
    label: 'Id',
    hint: 'As your system names the customer. It never changes.',
    isRequired: true,
  },
  { name: 'customer_name', label: 'Name' },
  { name: 'email', label: 'E-mail' },
  { name: 'default_currency_code', label: 'Currency', hint: 'Empty: that of the organization.' },
  { name: 'timezone', label: 'Time zone', hint: 'Such as Europe/Berlin. Empty: that of the organization.' },
  {
    name: 'tax_rate',
    label: 'Tax in percent',
    hint: 'Empty: that of the organization. 0: exempt.',
    isNumber: true,
  },
  REVERSE_CHARGE,
  TAX_IDS,
  ...addressFields('billing_address'),
];

export const NewCustomer = () => (
  <Create
    label="New customer"
    look="primary"
    fields={() => FIELDS}
    create={(body: CreateCustomerBody, options) => recount.createCustomer(body, options)}
    made={({ customer_id: id, customer_name: name }) => (
      <p className="in-text">
        {name ?? id} is a customer now.{' '}
        <Link to="/customers/$customerId/changes" params={{ customerId: id ?? '' }}>
          Subscribe it to a plan
        </Link>
      </p>
    )}
  />
);
