import { Link } from '@tanstack/react-router';
import type { Column } from './data-table.js';

interface NameProps {
  /** Null after an erasure. */
  readonly id: string | null;
  readonly name: string | null;
}

/** Leads to a customer by its name, or by its id where it has none. */
export function CustomerName({ id, name }: NameProps) {
  if (id === null) return name ?? 'erased';
  return (
    <Link to="/customers/$customerId" params={{ customerId: id }}>
      {name ?? id}
    </Link>
  );
}

interface RowOfCustomer {
  readonly customer: { readonly customer_id: string | null; readonly customer_name: string | null };
}

/** Column of the customer that a row belongs to. */
export const customerColumn: Column<RowOfCustomer> = {
  id: 'customer',
  header: 'Customer',
  cell: ({ customer: { customer_id: id, customer_name: name } }) => <CustomerName id={id} name={name} />,
  value: ({ customer }) => customer.customer_name ?? customer.customer_id,
};
