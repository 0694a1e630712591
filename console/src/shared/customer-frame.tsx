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

/** Frame of a page below a customer's: its title, the link up, and a sentence for an unknown customer. */
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

/** Page of an unknown or deleted customer. */
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
