import { Link } from '@tanstack/react-router';
import type { CreateCustomerBody } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { Create } from './create.js';
import { addressFields, REVERSE_CHARGE, TAX_IDS, type FormField } from './form-field.js';

const FIELDS: readonly FormField[] = [
  {
    name: 'customer_id',
    label: 'Id',
    hint: 'The id of the customer in your own system. It cannot be changed later.',
    isRequired: true,
  },
  { name: 'customer_name', label: 'Name' },
  { name: 'email', label: 'E-mail' },
  {
    name: 'default_currency_code',
    label: 'Currency',
    hint: 'Leave empty for the default of the organization.',
  },
  {
    name: 'timezone',
    label: 'Time zone',
    hint: 'Such as Europe/Berlin. Leave empty for that of the organization.',
  },
  {
    name: 'tax_rate',
    label: 'Tax rate in percent',
    hint: 'Leave empty for that of the organization; 0 is exempt.',
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
        {name ?? id} has been created.{' '}
        <Link to="/customers/$customerId/changes" params={{ customerId: id ?? '' }}>
          Subscribe this customer to a plan
        </Link>
      </p>
    )}
  />
);
