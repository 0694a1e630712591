import { categoryOf, entityOf, type StreamCategory } from '../../src/kernel/event.js';
import type { PastTablesSchema } from '../../src/platform/as-of/read-models-as-of.js';

/** Categories whose streams belong to one customer each. */
const OF_CUSTOMERS: readonly StreamCategory[] = ['account', 'bulkchange', 'customer', 'subscription'];

/**
 * Customers that the request names. Only their streams are folded, so the cost does not depend on other
 * customers. Empty: all customers.
 */
export async function customersOf(
  { org, about, client }: PastTablesSchema,
  schema: string,
): Promise<readonly string[]> {
  const streams = about.filter((stream) => OF_CUSTOMERS.includes(categoryOf(stream) as StreamCategory));
  const isTerm = (stream: string): boolean => categoryOf(stream) === 'subscription';
  const named = streams.filter((stream) => !isTerm(stream)).map((stream) => entityOf(stream).split('.')[0]!);
  const terms = streams.filter(isTerm).map(entityOf);
  if (terms.length === 0) return named;
  const { rows } = await client.query<{ customer: string }>(
    `select customer_key as customer from ${schema}.subscriptions where org = $1 and subscription_id = any($2)`,
    [org, terms],
  );
  return [...named, ...rows.map(({ customer }) => customer)];
}

export interface StreamToFold {
  readonly category: StreamCategory;
  readonly stream: string;
  /**
   * Selects events recorded until the moment; of terms of a chosen customer, those that name the customer.
   */
  readonly events: number;
}

interface FoldSelection {
  readonly categories: readonly StreamCategory[];
  /** Empty: all categories. */
  readonly customers: readonly string[];
}

/** Returns the streams of some categories that had events until the moment, from the audit log. */
export async function streamsUntil(
  place: PastTablesSchema,
  schema: string,
  { categories, customers }: FoldSelection,
): Promise<readonly StreamToFold[]> {
  const isNarrowed = (category: StreamCategory): boolean =>
    customers.length > 0 && OF_CUSTOMERS.includes(category);
  const narrowed = categories.filter(isNarrowed);
  const whole = categories.filter((category) => !isNarrowed(category));
  const read = async (of: readonly StreamCategory[], condition: string, values: readonly unknown[]) => {
    if (of.length === 0) return [];
    const { rows } = await place.client.query<StreamToFold>(
      `select split_part(stream, '-', 1) as category, stream, count(*)::int as events
       from ${schema}.audit_entries
       where org = $1 and recorded_at <= $2 and split_part(stream, '-', 1) = any($3) ${condition} group by stream`,
      [place.org, place.at, of, ...values],
    );
    return rows;
  };
  // Names the customer by the first event of each of the customer's streams.
  const ofCustomers = await read(narrowed, 'and customer_key = any($4::uuid[])', [customers]);
  return [...ofCustomers, ...(await read(whole, '', []))];
}
