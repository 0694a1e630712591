import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { customerQuery } from '../api/customer.js';

/** Leads to a customer, by its name as soon as that is known. */
export function CustomerLink({ customerId }: { readonly customerId: string }) {
  const { data: customer } = useQuery({ ...customerQuery(customerId), staleTime: 60_000 });
  return (
    <Link to="/customers/$customerId" params={{ customerId }}>
      {customer?.customer_name ?? customerId}
    </Link>
  );
}
