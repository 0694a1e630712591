import type { Customer, Invoice, Plan } from '../../../clients/typescript/src/index.js';
import { NotFoundError } from '../../../clients/typescript/src/errors.js';
import { queryOptions } from '@tanstack/react-query';
import { recount } from '../api/client.js';
import { queryClient } from '../api/query-client.js';
import type { Pages } from '../../../clients/typescript/src/index.js';
import { readPage } from '../shared/use-list.js';

export interface Found {
  readonly plans: readonly Plan[];
  readonly customers: readonly Customer[];
  readonly invoices: readonly Invoice[];
  /** Tells whether customers were looked for by name too: they are few enough. */
  readonly hasLookedAtNames: boolean;
}

/** Customers and plans of each kind that are looked through; longer lists are not. */
const MOST_LOOKED_THROUGH = 1_000;
const SHOWN = 8;

/** Reads a list for the palette; null where it is too long to look through. */
async function readShort<Item>(pages: Pages<Item>): Promise<readonly Item[] | null> {
  const { items, next } = await readPage(pages);
  return next === undefined ? items : null;
}

const shortLists = {
  customers: queryOptions({
    queryKey: ['find', 'customers'],
    queryFn: ({ signal }) => readShort(recount.listCustomers({ limit: MOST_LOOKED_THROUGH }, { signal })),
    staleTime: 60_000,
  }),
  plans: queryOptions({
    queryKey: ['find', 'plans'],
    queryFn: ({ signal }) => readShort(recount.listPlans({ limit: MOST_LOOKED_THROUGH }, { signal })),
    staleTime: 60_000,
  }),
};

/**
 * Looks for plans and customers with the text in their name or id, for customers whose id or e-mail address is the text
 * where there are too many to look through, and for invoices with this number.
 */
export async function findByText(text: string, signal: AbortSignal): Promise<Found> {
  const [byId, byEmail, customers, plans, invoices] = await Promise.all([
    recount.getCustomer(text, { signal }).then((one) => [one], ifNotFound<Customer>()),
    text.includes('@') ? recount.listCustomers({ email: text }, { signal }).all() : [],
    queryClient.fetchQuery(shortLists.customers),
    queryClient.fetchQuery(shortLists.plans),
    recount.listInvoices({ invoice_number: text, limit: 5 }, { signal }).all(),
  ]);
  const has = (name: string | null): boolean => name?.toLowerCase().includes(text.toLowerCase()) ?? false;
  const alike = customers?.filter(({ customer_id: id, customer_name: name }) => has(id) || has(name)) ?? [];
  const unique = new Map([...byId, ...byEmail, ...alike].map((one) => [one.customer_key, one]));
  return {
    customers: [...unique.values()].slice(0, SHOWN),
    plans: plans?.filter(({ plan_name: name }) => has(name)).slice(0, SHOWN) ?? [],
    invoices,
    hasLookedAtNames: customers !== null,
  };
}

const ifNotFound =
  <Item>() =>
  (error: unknown): Item[] => {
    if (error instanceof NotFoundError) return [];
    throw error;
  };
