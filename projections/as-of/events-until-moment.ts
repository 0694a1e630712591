import { categoryOf, entityOf, type RecordedEvent, type StreamCategory } from '../../src/kernel/event.js';
import { groupBy } from '../../src/kernel/iteration.js';
import type { PastTablesSchema } from '../../src/platform/as-of/read-models-as-of.js';
import { StoreUnavailable } from '../../src/platform/eventsourcing/store/event-store.js';
import { forEachConcurrent } from '../../src/platform/concurrency/limits.js';

/** Categories whose streams belong to one customer each. */
const OF_CUSTOMERS: readonly StreamCategory[] = ['account', 'bulkchange', 'customer', 'subscription'];
/** Number of events in memory at once. */
const PAGE = 500;
/** Number of streams read concurrently. */
const READERS = 64;

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

export interface FoldSelection {
  readonly categories: readonly StreamCategory[];
  /** Empty: all customers. */
  readonly customers: readonly string[];
}

interface LoggedEvent {
  readonly stream: string;
  readonly revision: string;
}

/**
 * Yields the events of some categories that were recorded until the moment, in the order of the log, page by page. The
 * audit log names them; a cursor of the transaction reads it.
 */
export async function* eventsUntilMoment(
  place: PastTablesSchema,
  schema: string,
  selection: FoldSelection,
): AsyncGenerator<readonly RecordedEvent[]> {
  const { client, signal } = place;
  await client.query(
    `declare events_until_moment no scroll cursor for ${select(schema)}`,
    valuesOf(place, selection),
  );
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await client.query<LoggedEvent>(`fetch ${PAGE} from events_until_moment`);
    if (rows.length > 0) yield await eventsOf(place, rows);
    if (rows.length < PAGE) break;
  }
  await client.query('close events_until_moment');
}

/**
 * Selects events that name the chosen customers, and the events of their terms, of which only the first names the customer.
 */
const select = (schema: string): string => {
  const from = `select commit, prepare, stream, stream_revision from ${schema}.audit_entries
    where org = $1 and recorded_at <= $2`;
  const category = `split_part(stream, '-', 1)`;
  return `select stream, stream_revision as revision from (
    ${from} and customer_key = any($3::uuid[]) and ${category} = any($4::text[])
    union
    ${from} and 'subscription' = any($4::text[]) and subject_kind = 'subscription' and subject_id in (
      select subject_id from ${schema}.audit_entries
      where org = $1 and customer_key = any($3::uuid[]) and subject_kind = 'subscription')
    union
    ${from} and ${category} = any($5::text[])
  ) chosen order by commit, prepare`;
};

function valuesOf({ org, at }: PastTablesSchema, { categories, customers }: FoldSelection): unknown[] {
  const isNarrowed = (category: StreamCategory): boolean =>
    customers.length > 0 && OF_CUSTOMERS.includes(category);
  const whole = categories.filter((category) => !isNarrowed(category));
  return [org, at, customers, categories.filter(isNarrowed), whole];
}

/** Reads events in the order in which they are named. @throws StoreUnavailable when the store does not return one of them */
async function eventsOf(
  { store, signal }: PastTablesSchema,
  named: readonly LoggedEvent[],
): Promise<readonly RecordedEvent[]> {
  const byStream = groupBy(named, ({ stream }) => stream);
  const events = new Map<string, RecordedEvent>();
  await forEachConcurrent([...byStream], READERS, async ([stream, ofStream]) => {
    const [from, last] = [BigInt(ofStream[0]!.revision), BigInt(ofStream.at(-1)!.revision)];
    for await (const event of store.readStream(stream, { from, limit: Number(last - from) + 1 })) {
      signal.throwIfAborted();
      events.set(nameOf(stream, event.revision), event);
      if (event.revision >= last) break;
    }
  });
  return named.map(({ stream, revision }) => {
    const event = events.get(nameOf(stream, revision));
    if (event) return event;
    throw new StoreUnavailable(
      `The store returned no event ${nameOf(stream, revision)}, which the audit log has.`,
    );
  });
}

const nameOf = (stream: string, revision: bigint | string): string => `${stream}@${revision}`;
