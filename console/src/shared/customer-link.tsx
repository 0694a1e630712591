import { useQuery } from '@tanstack/react-query';
import { customerQuery } from '../api/customer.js';
import { CustomerName } from './customer-name.js';

/** Leads to a customer, by its name as soon as that is known. */
export function CustomerLink({ customerId }: { readonly customerId: string }) {
  const { data: customer } = useQuery({ ...customerQuery(customerId), staleTime: 60_000 });
  return <CustomerName id={customerId} name={customer?.customer_name ?? null} />;
}
