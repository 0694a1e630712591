import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Customer } from '../../../clients/typescript/src/index.js';
import { customerQuery } from '../api/customer.js';
import { Page } from './page.js';
import { QueryView } from './query-view.js';
import { isNotFound, ResourceNotFound } from './resource-not-found.js';

interface FrameProps {
  readonly customerId: string;
  /** Title of the page, with the name of the customer or, until it is known, the id. */
  readonly title: (name: string) => string;
  readonly children: (customer: Customer) => ReactNode;
}

/** A page below that of a customer: its title, the way up, and a sentence where there is no such customer. */
export function CustomerFrame({ customerId, title, children }: FrameProps) {
  const customer = useQuery(customerQuery(customerId));
  if (isNotFound(customer.error)) return <CustomerNotFound customerId={customerId} />;
  return (
    <Page
      title={title(customer.data?.customer_name ?? customerId)}
      trail={
        <>
          <Link to="/customers">Customers</Link> /{' '}
          <Link to="/customers/$customerId" params={{ customerId }}>
            {customerId}
          </Link>
        </>
      }
    >
      <QueryView query={customer}>{children}</QueryView>
    </Page>
  );
}

/** The page of a customer that there is not, or no longer. */
export function CustomerNotFound({ customerId }: { readonly customerId: string }) {
  return (
    <ResourceNotFound kind="customer" id={customerId} trail={<Link to="/customers">Customers</Link>}>
      If it was deleted,{' '}
      <Link to="/audit" search={{ customer_id: customerId }}>
        its events
      </Link>{' '}
      and{' '}
      <Link to="/invoices" search={{ customer_id: customerId }}>
        its invoices
      </Link>{' '}
      are still there.
    </ResourceNotFound>
  );
}
