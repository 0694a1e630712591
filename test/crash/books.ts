import { type RecountClient } from '../support/recount-client.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns invoices, subscriptions, credits and customers as the API shows them, sorted. Ids and numbers that differ
 * between two runs are left out.
 */
export async function booksOf(client: RecountClient): Promise<readonly string[]> {
  const [invoices, subscriptions, customers] = await Promise.all([
    all(client, 'invoices'),
    all(client, 'subscriptions'),
    all(client, 'customers'),
  ]);
  const credits = [];
  for (const { customer_id: id } of customers)
    credits.push(...(await all(client, 'credits', `customer_id=${id}&`)));
  return [
    ...invoices.map((invoice) => ({
      ...pick(invoice, [
        'customer',
        'amount',
        'cost_due',
        'payment_status',
        'issue_date',
        'start_date',
        'end_date',
      ]),
      lines: (invoice['line_items'] as Fields[]).map((line) =>
        pick({ ...line, name: String(line['name']).replace(/\d{6}-\d{6}/, 'an invoice') }, [
          'name',
          'start_date',
          'end_date',
          'quantity',
          'billing_type',
          'base',
          'adjustments',
          'amount',
        ]),
      ),
    })),
    ...subscriptions.map((subscription) =>
      pick(subscription, ['customer', 'start_date', 'end_date', 'auto_renew', 'is_new', 'fully_billed']),
    ),
    ...credits.map((credit) => pick(credit, ['customer', 'amount', 'amount_remaining', 'status'])),
    ...customers.map((customer) => pick(customer, ['customer_id', 'email'])),
  ]
    .map((entry) => JSON.stringify(entry))
    .sort();
}

async function all(client: RecountClient, list: string, query = ''): Promise<Fields[]> {
  const items: Fields[] = [];
  for await (const item of client.list<Fields>(`/api/${list}/?${query}limit=1000`)) items.push(item);
  return items;
}

const pick = (from: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, from[name]]));
