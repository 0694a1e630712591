import pg from 'pg';
import { RecountClient } from '../support/recount-client.js';
import { customerKeyOf } from '../../src/kernel/ids.js';
import type { Cluster } from './cluster.js';
import { load, median, type Figure } from './report.js';
import { startBenchedService, type BenchedService } from './service.js';

const CLOCK = '2026-01-31T12:00:00Z';
const CUSTOMERS = 1_000;
const SUBSCRIBED = 50;
const ROUNDS = 5;
const BATCHES = 60;
const BATCH = 500;

const PRICES = [{ type: 'per_unit', range_start: 0, cost_per_batch: 1, metric_units_per_batch: 1 }];
const named = (n: number): string => `client-${n}`;

/**
 * Measures `GET /api/usage/` for a customer's month beside a query for the same rows, and ingestion with and without
 * usage alerts, in alternating rounds.
 * @param count events stored before; default 10,000,000
 */
export async function measureUsage(cluster: Cluster, count = '10000000'): Promise<Figure[]> {
  const events = Number(count);
  const service = await startBenchedService(cluster, CLOCK);
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 4 });
  const client = new RecountClient(service.url, service.key);
  try {
    const plan = await subscribe(client);
    const { rows } = await pool.query<{ org: string }>('select distinct org from customers');
    const { org } = rows[0]!;
    await insertEvents(pool, org, events);
    return [
      ...(await usageOfMonth(service, client, pool, org, events)),
      await ingestWithAlerts(service, client, plan),
    ];
  } finally {
    await pool.end();
    await service.stop();
  }
}

interface Plan {
  readonly planId: string;
  readonly metricId: string;
}

async function subscribe(client: RecountClient): Promise<Plan> {
  const { metric_id: metricId } = await client.post<{ metric_id: string }>('/api/metrics/', {
    metric_name: 'bytes',
    event_name: 'request',
    metric_type: 'counter',
    aggregation_type: 'sum',
    property_name: 'n',
  });
  const { plan_id: planId } = await client.post<{ plan_id: string }>('/api/plans/', {
    plan_name: 'Metered',
    plan_duration: 'monthly',
    initial_version: { currency_code: 'USD', components: [{ metric_id: metricId, tiers: PRICES }] },
  });
  for (let n = 0; n < SUBSCRIBED; n += 1) {
    await client.post('/api/customers/', { customer_id: named(n) });
    await client.post('/api/subscriptions/', {
      customer_id: named(n),
      plan_id: planId,
      start_date: '2026-01-01T00:00:00Z',
    });
  }
  return { planId, metricId };
}

/** Inserts events of January, a thousandth for each customer, 1,000 per batch. */
async function insertEvents(pool: pg.Pool, org: string, events: number): Promise<void> {
  const keys = Array.from({ length: CUSTOMERS }, (_, n) => customerKeyOf(org, named(n)));
  await pool.query(
    `insert into usage_events
      select $1::uuid, 'stored-' || n, ($2::uuid[])[1 + n % ${CUSTOMERS}], 'request',
        '2026-01-01T00:00:00Z'::timestamptz + n * (interval '30 days' / $3::int),
        jsonb_build_object('n', n % 100), sha256(n::text::bytea), n / 1000 + 1
      from generate_series(0, $3::int - 1) n`,
    [org, keys, events],
  );
  await pool.query(
    `insert into usage_batches select $1::uuid, n, n, 1000, '2026-01-01T00:00:00Z', '', '2026-01-31T00:00:00Z'
      from generate_series(1, $2::int / 1000 + 1) n`,
    [org, events],
  );
  await pool.query(`select setval('usage_batch_ids', $1::bigint)`, [events]);
  await pool.query('vacuum analyze usage_events, usage_batches');
}

const RAW = `select count(*), sum((properties ->> 'n')::numeric) as total from usage_events
  where org = $1 and customer_key = $2 and event_name = 'request'
    and event_time >= '2026-01-01T00:00:00Z' and event_time < '2026-02-01T00:00:00Z'`;

async function usageOfMonth(
  service: BenchedService,
  client: RecountClient,
  pool: pg.Pool,
  org: string,
  events: number,
): Promise<Figure[]> {
  return [
    await askedOfEach(service, client, pool, org, events, 'for the first time'),
    await askedOfEach(service, client, pool, org, events, 'again'),
  ];
}

/**
 * Requests the usage of each subscribed customer. The events of one customer are spread over many pages of the table:
 * the first request reads them from disk, the second from memory.
 */
async function askedOfEach(
  service: BenchedService,
  client: RecountClient,
  pool: pg.Pool,
  org: string,
  events: number,
  when: string,
): Promise<Figure> {
  const [shown, raw]: [number[], number[]] = [[], []];
  let holds = true;
  const cpuBefore = await service.cpuTime();
  for (let n = 0; n < SUBSCRIBED; n += 1) {
    const customer = named(n);
    let began = performance.now();
    const usage = await client.get<{ quantity: number }[]>(`/api/usage/?customer_id=${customer}`);
    shown.push(performance.now() - began);
    began = performance.now();
    const { rows } = await pool.query<{ total: string }>({
      name: 'raw',
      text: RAW,
      values: [org, customerKeyOf(org, customer)],
    });
    raw.push(performance.now() - began);
    holds &&= usage.length === 1 && usage[0]!.quantity === Number(rows[0]!.total);
  }
  const cpu = ((await service.cpuTime()) - cpuBefore) / SUBSCRIBED;
  return {
    name: `usage of a customer's month over HTTP, asked ${when}, ${events.toLocaleString('en')} events stored`,
    settings: `${CUSTOMERS} customers with ${events / CUSTOMERS} events each, one after the other; medians: ${median(shown).toFixed(1)} ms, the raw query ${median(raw).toFixed(1)} ms; processor time of the service ${cpu.toFixed(1)} ms an answer`,
    unit: 'answers',
    perSecond: 1_000 / median(shown),
    ceiling: { name: 'a query that sums the same rows', perSecond: 1_000 / median(raw) },
    latencies: shown,
    check: { what: 'the quantity is the sum of the raw query', holds },
  };
}

/** Sends the same load twice per round, first with an alert for all subscribers of the plan, then without. */
async function ingestWithAlerts(
  service: BenchedService,
  client: RecountClient,
  { planId, metricId }: Plan,
): Promise<Figure> {
  let sent = 0;
  const send = () =>
    load(BATCHES, 4, () => {
      const first = (sent += 1) * BATCH;
      const batch = Array.from({ length: BATCH }, (_, index) => ({
        event_name: 'request',
        customer_id: named((first + index) % CUSTOMERS),
        idempotency_id: `sent-${first + index}`,
        time_created: '2026-01-31T11:00:00Z',
        properties: { n: 1 },
      }));
      return client.post('/api/track/', { batch });
    });
  await send();
  const [watched, alone]: [number[], number[]] = [[], []];
  const cost = { watched: 0, alone: 0 };
  const measured = async (kind: keyof typeof cost): Promise<number> => {
    const before = await service.cpuTime();
    const { perSecond } = await send();
    cost[kind] += (await service.cpuTime()) - before;
    return perSecond * BATCH;
  };
  const perThousand = (kind: keyof typeof cost): string =>
    ((cost[kind] / (ROUNDS * BATCHES * BATCH)) * 1_000).toFixed(1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const alert = await client.post<{ usage_alert_id: string }>('/api/usage-alerts/', {
      name: 'watched',
      metric_id: metricId,
      plan_id: planId,
      threshold: 1_000_000_000,
    });
    watched.push(await measured('watched'));
    const path = `/api/usage-alerts/${alert.usage_alert_id}/`;
    await fetch(new URL(path, service.url), { method: 'DELETE', headers: { 'X-API-KEY': service.key } });
    alone.push(await measured('alone'));
  }
  return {
    name: 'usage over HTTP with an alert for a plan',
    settings: `batches of ${BATCH} events, 4 requests at once, ${SUBSCRIBED} of ${CUSTOMERS} customers watched, medians of ${ROUNDS} rounds in turns of ${BATCHES} batches; processor time of the service for 1,000 events ${perThousand('watched')} ms, without an alert ${perThousand('alone')} ms`,
    unit: 'events',
    perSecond: median(watched),
    ceiling: { name: 'the same without an alert', perSecond: median(alone) },
    check: { what: 'every request succeeded', holds: true },
  };
}
