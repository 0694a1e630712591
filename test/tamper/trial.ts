import type { Pool } from 'pg';
import { MEANS, type Findings, type Means } from './checks.js';
import { RECOMPUTE_BATCHES, RECOMPUTE_USAGE_HASHES } from './recompute-hashes.js';
import { adoptRecomputedResults } from './adopt-recomputed-results.js';

export interface OpenBooks {
  readonly pool: Pool;
  examine(): Promise<Findings>;
}

/** A change of the books by an administrator of the database. */
export interface Tamper {
  readonly name: string;
  /** Means that find it from the database alone, with or without rebuilt read models. */
  readonly foundBy: readonly Means[];
  /**
   * Set for changes that an exported checkpoint does not find: of keys and read models, which are no leaves, and of
   * events after the newest checkpoint.
   */
  readonly isNotCheckpointed?: true;
  readonly apply: (books: OpenBooks) => Promise<void>;
}

/**
 * Returns the means that found the change from the database alone. Read models count only for changes that they must
 * find.
 */
export const meansFor = ({ foundBy }: Tamper, findings: Findings): Means[] =>
  MEANS.filter(
    (means) =>
      findings.has(means) && means !== 'checkpoint' && (means !== 'read models' || foundBy.includes(means)),
  );

const run = async (pool: Pool, statement: string): Promise<void> => {
  const { rowCount } = await pool.query(statement);
  if (rowCount === 0) throw new Error(`changes nothing: ${statement}`);
};

const sql =
  (...statements: readonly string[]) =>
  async ({ pool }: OpenBooks): Promise<void> => {
    for (const statement of statements) await run(pool, statement);
  };

/**
 * Changes the books and then writes the results that `verify` recomputes until it reports nothing, as an insider
 * could.
 */
const sqlAndAdopt =
  (...statements: readonly string[]) =>
  async (books: OpenBooks): Promise<void> => {
    await sql(...statements)(books);
    await adoptRecomputedResults(books);
  };

const ALL: readonly Means[] = ['verify', 'verify --all', 'doctor'];
const BOOKS: readonly Means[] = ['verify --all', 'doctor'];

/** Sets a member of an event's JSON. */
const set = (type: string, path: string, value: string): string =>
  `update events set data = jsonb_set(data::jsonb, '${path}', '${value}')::json
   where position = (select max(position) from events where type = '${type}')`;
/** Sets the tax rate of the first customer with an invoice to 0. */
const NO_TAX = `update events set data = jsonb_set(data::jsonb, '{taxRate}', '"0"')::json where position = (
  select min(c.position) from events c where c.type = 'CustomerRegistered' and exists (
    select from events i where i.type = 'InvoiceComputed' and i.stream like '%' || (c.data ->> 'customerKey') || '%'))`;
const nth = (type: string, n = 0): string =>
  `(select position from events where type = '${type}' order by position offset ${n} limit 1)`;
const setActor = (actor: string, event: string): string =>
  `update events set metadata = jsonb_set(metadata::jsonb, '{actor}', to_jsonb(${actor}))::json where position = ${event}`;
const OTHER_KEY = `(select id from api_keys where name = 'clerk')`;

const JANUARY = `event_time < '2026-02-01'`;
const EIGHTY = `delete from usage_events where idempotency_id in (
  select idempotency_id from usage_events where ${JANUARY} order by idempotency_id limit 80)`;
const PROPERTIES = `update usage_events set properties = properties || '{"path": "/b"}' where ${JANUARY}`;
const RECOMPUTE_COUNT = `update events set data = (data::jsonb || (
    select jsonb_build_object('quantity', coalesce(sum((properties->>'bytes')::numeric), 0)::text, 'eventCount', count(*),
      'digest', encode(sha256(string_agg(body_hash, ''::bytea order by idempotency_id)), 'hex'))
    from usage_events where ${JANUARY}))::json
  where type = 'UsagePeriodClosed' and (data->>'eventCount')::int = 180`;

/** Appends an event to the newest stream of a category and advances the read models' checkpoints. */
const append = (category: string, type: string, data: string): string[] => [
  `insert into events (position, stream, revision, id, type, data, metadata)
   select (select max(position) from events) + 1, stream, revision + 1, gen_random_uuid(), '${type}', (${data})::json,
     (metadata::jsonb || jsonb_build_object('commandId', gen_random_uuid()))::json
   from events where stream like '${category}-%' order by position desc limit 1`,
  'update projection_checkpoints set commit = commit + 1, prepare = prepare + 1',
];
const UNPAID = `(select data->>'invoiceId' from events where type = 'InvoiceIssued' order by position desc limit 1)`;
const PAYMENT = `jsonb_build_object('invoiceId', ${UNPAID}, 'paidAt', '2026-03-02T00:00:00.000000Z',
  'amount', '{"amount":"550","currency":"USD","scale":2}'::jsonb)`;
const CREDIT = `(select data::jsonb || jsonb_build_object('creditId', gen_random_uuid()) from events
  where type = 'CreditGranted' limit 1)`;

const swap = (column: string, a: string, b: string): string =>
  `update events e set ${column} = o.${column} from events o
   where e.position in (${a}, ${b}) and o.position in (${a}, ${b}) and e.position <> o.position`;

const deleteBatch = (which: string): string[] => [
  `delete from usage_events where batch_id = (${which})`,
  `delete from usage_batches where batch_id = (${which})`,
];
const NEWEST_INVOICES = `(select invoice_id from invoices order by invoice_number desc limit 2)`;

/** The changes, each with the means that must find it. */
export const TRIAL: readonly Tamper[] = [
  { name: '80 usage events of a closed window deleted', foundBy: ALL, apply: sql(EIGHTY) },
  { name: '80 usage events deleted, the count rewritten', foundBy: ALL, apply: sql(EIGHTY, RECOMPUTE_COUNT) },
  {
    name: '80 usage events deleted, count and invoice rewritten',
    foundBy: ALL,
    apply: sqlAndAdopt(EIGHTY, RECOMPUTE_COUNT),
  },
  {
    name: '80 usage events deleted, batches, count and invoice rewritten',
    foundBy: ['verify --all'],
    apply: sqlAndAdopt(EIGHTY, RECOMPUTE_BATCHES, RECOMPUTE_COUNT),
  },
  { name: 'properties of 180 usage events', foundBy: ALL, apply: sql(PROPERTIES) },
  {
    name: 'properties and body hashes of 180 usage events',
    foundBy: ALL,
    apply: sql(PROPERTIES, RECOMPUTE_USAGE_HASHES),
  },
  {
    name: 'properties, body hashes and batches of 180 usage events',
    foundBy: ALL,
    apply: sql(PROPERTIES, RECOMPUTE_USAGE_HASHES, RECOMPUTE_BATCHES),
  },
  {
    name: 'properties of 180 usage events, and every hash over them',
    foundBy: [],
    apply: sql(PROPERTIES, RECOMPUTE_USAGE_HASHES, RECOMPUTE_BATCHES, RECOMPUTE_COUNT),
  },
  {
    name: 'usage that is not billed yet deleted',
    foundBy: BOOKS,
    apply: sql(`delete from usage_events where idempotency_id =
      (select max(idempotency_id) from usage_events where not (${JANUARY}))`),
  },
  {
    name: 'usage that is not billed yet changed',
    foundBy: BOOKS,
    apply: sql(`update usage_events set properties = '{"bytes": 1}' where not (${JANUARY})`),
  },
  {
    name: 'the last numbered batch deleted',
    foundBy: ALL,
    apply: sql(
      ...deleteBatch(
        'select batch_id from usage_batches where sealed_number = 3 or batch_id is null limit 1',
      ),
    ),
  },
  {
    name: 'the last batch deleted, not numbered yet',
    foundBy: ['verify --all'],
    apply: sql(...deleteBatch('select max(batch_id) from usage_batches')),
  },
  {
    name: 'the due date of a run that found nothing',
    foundBy: ['verify --all'],
    apply: sql(set('NothingDue', '{terms,0,nextDueAt}', '"2030-01-01T00:00:00.000000Z"')),
  },
  {
    name: 'the settled flag of a run',
    foundBy: ALL,
    apply: sql(set('InvoiceComputed', '{terms,0,settled}', 'true')),
  },
  {
    name: 'the due date of an invoice',
    foundBy: ALL,
    apply: sql(set('InvoiceComputed', '{dueAt}', '"2030-01-01T00:00:00.000000Z"')),
  },
  {
    name: 'the actor of an event, nobody',
    foundBy: ['doctor'],
    apply: sql(setActor('gen_random_uuid()', nth('InvoicePaid'))),
  },
  {
    name: 'the actor of an event, another key',
    foundBy: [],
    apply: sql(setActor(OTHER_KEY, nth('InvoicePaid'))),
  },
  {
    name: 'the actor of an event that others follow from',
    foundBy: ['doctor'],
    apply: sql(setActor(OTHER_KEY, nth('SubscriptionStarted'))),
  },
  {
    name: 'the data of events of two streams swapped',
    foundBy: ['doctor'],
    apply: sql(swap('data', nth('CustomerRegistered'), nth('CustomerRegistered', 1))),
  },
  {
    name: 'the metadata of events of two streams swapped',
    foundBy: ['doctor'],
    apply: sql(swap('metadata', nth('CustomerRegistered'), nth('CustomerRegistered', 1))),
  },
  {
    name: 'the positions of events of two streams swapped',
    foundBy: ['read models'],
    apply: sql(
      `update events set position = -position
       where position in (${nth('CustomerRegistered')}, ${nth('CustomerRegistered', 1)})`,
      `update events set position = position - (select sum(position) from events where position < 0) where position < 0`,
    ),
  },
  {
    name: 'a payment forged',
    foundBy: BOOKS,
    isNotCheckpointed: true,
    apply: sql(...append('account', 'InvoicePaid', PAYMENT)),
  },
  {
    name: 'the amount of a payment',
    foundBy: ['verify --all'],
    apply: sql(set('InvoicePaid', '{amount,amount}', '"1"')),
  },
  {
    name: 'a credit forged',
    foundBy: BOOKS,
    isNotCheckpointed: true,
    apply: sql(...append('account', 'CreditGranted', CREDIT)),
  },
  {
    name: 'the amount of a credit',
    foundBy: ALL,
    apply: sql(set('CreditGranted', '{amount,amount}', '"90000"')),
  },
  { name: 'the tax rate of a customer', foundBy: ALL, apply: sql(NO_TAX) },
  {
    name: 'the tax rate of a customer, and every result that follows from it',
    foundBy: [],
    apply: sqlAndAdopt(NO_TAX),
  },
  {
    name: 'an API key added',
    foundBy: ['doctor'],
    isNotCheckpointed: true,
    apply: sql(`insert into api_keys (id, org, prefix, key_hash, name, scope)
      select gen_random_uuid(), org, 'abcdefabcdef', sha256('x'), 'forged', 'admin' from api_keys limit 1`),
  },
  {
    name: 'the newest invoices gone from the read model',
    foundBy: ['verify', 'verify --all', 'read models'],
    isNotCheckpointed: true,
    apply: sql(
      `delete from invoice_lines where invoice_id in ${NEWEST_INVOICES}`,
      `delete from invoices where invoice_id in ${NEWEST_INVOICES}`,
    ),
  },
  {
    name: 'the last event of the log deleted, an invoice number issued',
    foundBy: ['verify --all', 'read models'],
    apply: sql(
      `delete from events where position >= (select max(position) from events where type = 'InvoiceIssued')`,
    ),
  },
  {
    name: 'an event inside the log deleted',
    foundBy: ALL,
    apply: sql(`delete from events where position = ${nth('PlanCreated')}`),
  },
];
