import { getRouteApi, useLocation } from '@tanstack/react-router';
import type { Customer } from '../../../../clients/typescript/src/index.js';
import { NewCustomer } from '../../actions/new-customer.js';
import { recount } from '../../api/client.js';
import { AmountsDue } from '../../shared/amount.js';
import { amountsDueOf, dueColumnsOf } from '../../shared/amounts-due.js';
import { CustomerName } from '../../shared/customer-name.js';
import type { Column } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import type { FilterField } from '../../shared/filter-form.js';
import { ListPage } from '../../shared/list-page.js';

const route = getRouteApi('/customers');

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Filter of the customers. Personal data is in the history of the tab, and in no address, which others read. */
    readonly email?: string | undefined;
  }
}

/** The service names invalid values of the address. */
type CustomerFilter = NonNullable<Parameters<typeof recount.listCustomers>[0]>;

/** Names each plan of a customer once. */
const plansOf = ({ subscriptions }: Customer): string =>
  [...new Set(subscriptions.map(({ billing_plan: plan }) => plan.plan_name))].join(', ');

const COLUMNS: readonly Column<Customer>[] = [
  {
    id: 'name',
    header: 'Customer',
    cell: ({ customer_id: id, customer_name: name }) => <CustomerName id={id} name={name} />,
    value: ({ customer_id: id, customer_name: name }) => name ?? id,
  },
  {
    id: 'id',
    header: 'Id',
    cell: ({ customer_id: id }) => <code>{id}</code>,
    value: ({ customer_id: id }) => id,
  },
  { id: 'email', header: 'E-mail', cell: ({ email }) => email, value: ({ email }) => email, isMinor: true },
  {
    id: 'plans',
    header: 'Plans',
    cell: plansOf,
    value: plansOf,
    isMinor: true,
  },
  {
    id: 'due',
    header: 'Amount due',
    ordering: 'total_amount_due',
    orderingNote: 'customers are sorted by the amount due in their own currency',
    cell: (customer) => <AmountsDue amounts={amountsDueOf(customer)} />,
    value: (customer) => amountsDueOf(customer)[0]!.amount,
    group: (customer) => amountsDueOf(customer)[0]!.code,
    exported: dueColumnsOf,
    align: 'end',
  },
];

const FILTERS: readonly FilterField[] = [
  {
    name: 'email',
    label: 'E-mail',
    hint: 'The full address. Names are stored encrypted and cannot be searched.',
  },
];

export function CustomersPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const email = useLocation({ select: ({ state }) => state.email });
  const filter = email === undefined ? {} : { email };
  return (
    <ListPage
      title="Customers"
      readModels={['customers', 'subscriptions', 'invoices']}
      name="customers"
      columns={COLUMNS}
      rowKey={({ customer_key: key }) => key}
      filters={FILTERS}
      filter={filter}
      read={(page, options) => recount.listCustomers({ ...filter, ...page } as CustomerFilter, options)}
      search={{ ...search, email }}
      onSearch={(change) => {
        const { email: chosen, ...listed } = { email, ...change };
        void navigate({
          search: (now) => ({ ...now, ...listed }),
          state: (now) => ({ ...now, email: chosen }),
        });
      }}
      empty={
        <EmptyState title="No customers yet">
          Create one with <em>New customer</em>, then subscribe it to a plan.
        </EmptyState>
      }
      actions={<NewCustomer />}
    />
  );
}
