import pg from 'pg';
import { BODY_HASH } from '../../src/metering/count-sql.js';
import { customerKeyOf } from '../../src/kernel/ids.js';
import {
  advance,
  areBilledOnce,
  billMonths,
  COMPONENTS,
  dayOf,
  namesOf,
  startOf,
} from './billed-customers.js';
import type { Cluster } from './cluster.js';
import { median, type Figure } from './report.js';
import { startBenchedService, type BenchedService } from './service.js';

const TIMES = 11;
const MONTHS = 2;
const BATCH = 500;
/** Elapsed days of the running month. */
const DAYS = 28;
const WORKER_MS = 500;

/**
 * Measures requests of the console: reports over all customers, and lists that no index of a single table serves.
 * @param count customers, each with two invoices and 100 usage events of the running month; default 10,000
 */
export async function measureReports(cluster: Cluster, count = '10000'): Promise<Figure[]> {
  const customers = Number(count);
  const service = await startBenchedService(cluster, startOf(0));
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 });
  try {
    const { client } = await billMonths(service, customers, MONTHS);
    const names = namesOf('customer', customers);
    await advance(client, dayOf(MONTHS, DAYS + 1));
    const billed = await areBilledOnce(client, names, () => MONTHS);
    const { rows } = await pool.query<{ org: string }>('select distinct org from customers');
    const began = performance.now();
    const events = await insertEvents(pool, rows[0]!.org, names, customers * 100);
    await pool.query('vacuum analyze');
    while ((await pool.query('select from usage_days_queue limit 1')).rows.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, WORKER_MS));
    }
    console.log(
      `\n${events} events stored and added up in ${((performance.now() - began) / 1000).toFixed(0)} s`,
    );
    const figures: Figure[] = [];
    for (const [name, path] of Object.entries(pathsOf(names))) {
      figures.push(await measure(service, name, path, billed));
    }
    return figures;
  } finally {
    await pool.end();
    await service.stop();
  }
}

const pathsOf = ([name]: readonly string[]): Record<string, string> => ({
  'recurring revenue': '/api/analytics/recurring-revenue/',
  'invoiced amounts': '/api/analytics/invoiced/',
  receivables: '/api/analytics/receivables/',
  'credit balances': '/api/analytics/credits/',
  'usage by day': '/api/analytics/usage/',
  'usage by metric': '/api/analytics/usage-by-metric/',
  'usage by metric, months': '/api/analytics/usage-by-metric/?granularity=month',
  'upcoming work': '/api/upcoming_work/?days=31',
  'read models': '/api/read_models/',
  'a page of customers': '/api/customers/?limit=50',
  'customers to sort': '/api/customers/?limit=1000',
  'a page of invoices': '/api/invoices/?limit=50',
  'invoices to sort': '/api/invoices/?limit=1000',
  'subscriptions to count': '/api/subscriptions/?status=active&limit=1000',
  'a page of events with states': '/api/events/?limit=50',
  'events that nothing counts': '/api/events/?state=uncounted&limit=50',
  'usage of a customer': `/api/usage/?customer_id=${name!}&limit=100`,
  'a page of the audit log': '/api/audit/log/?limit=50',
  'the time line of a customer': `/api/audit/log/?customer_id=${name!}&limit=50`,
  'a customer': `/api/customers/${name!}/`,
  plans: '/api/plans/',
});

/** Inserts events as ingestion stores them, with their hashes. */
async function insertEvents(
  pool: pg.Pool,
  org: string,
  names: readonly string[],
  count: number,
): Promise<number> {
  const first = `(select last_value from usage_batch_ids) + 1`;
  const keys = names.map((name) => customerKeyOf(org, name));
  const { rows } = await pool.query<{ first: string }>(`select ${first} as first`);
  const firstBatch = rows[0]!.first;
  await pool.query(
    `insert into usage_events
      select org, idempotency_id, customer_key, event_name, event_time, properties, ${BODY_HASH}, batch_id
      from (
        select $1::uuid as org, 'stored-' || n as idempotency_id, ($2::uuid[])[1 + n % $5::int] as customer_key,
          'event-' || n / $5::int % ${COMPONENTS} as event_name, jsonb_build_object('amount', n % 100) as properties,
          $3::timestamptz + n * (interval '${DAYS} days' / $4::int) as event_time, $6::bigint + n / ${BATCH} as batch_id
        from generate_series(0, $4::int - 1) n
      ) e`,
    [org, keys, startOf(MONTHS), count, names.length, firstBatch],
  );
  await pool.query(
    `insert into usage_batches (org, batch_id, event_count, earliest_event_time, digest, received_at)
      select org, batch_id, count(*), min(event_time), sha256(string_agg(body_hash, ''::bytea order by idempotency_id)),
        max(event_time)
      from usage_events where batch_id >= $1 group by org, batch_id order by batch_id`,
    [firstBatch],
  );
  await pool.query(`select setval('usage_batch_ids', (select max(batch_id) from usage_batches))`);
  return count;
}

async function measure(
  service: BenchedService,
  name: string,
  path: string,
  billed: boolean,
): Promise<Figure> {
  const shown: number[] = [];
  let isAnswered = true;
  const cpuBefore = await service.cpuTime();
  for (let time = 0; time < TIMES; time += 1) {
    const began = performance.now();
    const answer = await fetch(new URL(path, service.url), { headers: { 'X-API-KEY': service.key } });
    await answer.text();
    shown.push(performance.now() - began);
    isAnswered &&= answer.ok;
  }
  const cpu = ((await service.cpuTime()) - cpuBefore) / TIMES;
  return {
    name,
    settings: `one after the other; median ${median(shown).toFixed(0)} ms, processor time of the service ${cpu.toFixed(1)} ms`,
    unit: 'answers',
    perSecond: 1_000 / median(shown),
    latencies: shown,
    check: {
      what: 'every answer succeeded; every customer has its invoices of the right amount',
      holds: billed && isAnswered,
    },
  };
}
