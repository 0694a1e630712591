import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type pg from 'pg';
import { subscribeClients } from '../../demo/content-network.js';
import { RecountClient } from '../../demo/recount-client.js';
import { eachOf } from '../../src/platform/each-of.js';
import { withPool, type Cluster } from './cluster.js';
import { load, median, type Figure } from './report.js';
import { startBenchedService, type BenchedService } from './service.js';

const CUSTOMERS = 2_000;
const FEW_CUSTOMERS = 200;
const COMPONENTS = 3;
const FEW_MONTHS = 6;
const MONTHS = 16;
/** An account is carried forward once in so many runs: an average over them has what that costs, and what it saves. */
const CYCLE = 8;
/** After these months 10,000 invoices are there to verify. */
const VERIFIED_AFTER = 5;
const AT_ONCE = 8;
const BATCH = 500;

/**
 * Billing runs from the due boundary to the issued invoice, month by month: 2,000 subscriptions with a fee and 3
 * components; what an invoice costs when its customer has a long history, and among few customers; verification.
 */
export async function measureBillingRuns(cluster: Cluster): Promise<Figure[]> {
  const few = await withService(cluster, async (service) => {
    const { rates } = await billMonths(service, FEW_CUSTOMERS, FEW_MONTHS);
    return { rates, memory: await service.peakMemory() };
  });
  return withService(cluster, async (service) => {
    const bench = await billMonths(service, CUSTOMERS, VERIFIED_AFTER);
    const verified = await verifyAll(service);
    await bench.billOn(MONTHS);
    const raw = await withPool(service.databaseUrl, insertsOfOneMonth);
    const memory = await service.peakMemory();
    const holds = await isBilledOnce(bench, CUSTOMERS);
    const settings = `${CUSTOMERS} subscriptions, a fee and ${COMPONENTS} tiered components each, ${COMPONENTS} usage events a month; from the clock's step to the readable invoices, renewal and ${bench.rates.length} months; service and database on one machine; at most ${memory.toFixed(0)} MB in the service, ${few.memory.toFixed(0)} MB with ${FEW_CUSTOMERS}`;
    const perSecond = median(bench.rates.slice(1));
    return [
      {
        name: 'billing runs end to end',
        settings,
        unit: 'invoices',
        perSecond,
        ceiling: {
          name: `durable inserts of the same events, one transaction per account, ${AT_ONCE} at once`,
          perSecond: raw,
        },
        latencies: bench.rates.map((rate) => 1000 / rate),
        check: {
          what: 'every customer has one invoice a month of the amount that its usage comes to',
          holds,
        },
      },
      flatness('a history ten times as long', average(bench.rates.slice(-CYCLE)), bench.rates[1]!, holds),
      flatness('ten times as many customers', perSecond, median(few.rates.slice(1)), holds),
      verified,
    ];
  });
}

/** Of so many months, each with as many invoices. */
const average = (rates: readonly number[]): number =>
  rates.length / rates.reduce((seconds, rate) => seconds + 1 / rate, 0);

/** The rate under the heavier load, with the lighter one of the same run in place of a ceiling. */
const flatness = (what: string, heavy: number, light: number, holds: boolean): Figure => ({
  name: `cost of an invoice with ${what}`,
  settings: `an invoice costs ${(light / heavy).toFixed(2)} times as much`,
  unit: 'invoices',
  perSecond: heavy,
  ceiling: { name: 'without it', perSecond: light },
  check: { what: 'as above', holds },
});

async function withService<T>(cluster: Cluster, work: (service: BenchedService) => Promise<T>): Promise<T> {
  const service = await startBenchedService(cluster, startOf(0));
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

interface BilledMonths {
  readonly client: RecountClient;
  /** Invoices a second, by month. */
  readonly rates: number[];
  billOn(months: number): Promise<void>;
}

async function billMonths(service: BenchedService, customers: number, months: number): Promise<BilledMonths> {
  const client = new RecountClient(service.url, service.key);
  const names = Array.from({ length: customers }, (_, index) => `customer-${index}`);
  await subscribeClients(client, await createPlan(client), names, startOf(0));
  const rates: number[] = [];
  const billOn = async (until: number): Promise<void> => {
    while (rates.length < until) {
      const month = rates.length;
      await advance(client, startOf(month).replace('-01T', '-20T'));
      await track(client, names, month);
      const began = performance.now();
      await advance(client, startOf(month + 1).replace('T00', 'T01'));
      rates.push((customers / (performance.now() - began)) * 1000);
    }
  };
  await billOn(months);
  return { client, rates, billOn };
}

const startOf = (month: number): string =>
  new Date(Date.UTC(2026, month, 1)).toISOString().replace('.000', '');

const advance = (client: RecountClient, to: string): Promise<unknown> =>
  client.post('/api/test_clock/advance/', { to });

async function createPlan(client: RecountClient): Promise<string> {
  const components = [];
  for (let index = 0; index < COMPONENTS; index += 1) {
    const { metric_id } = await client.post<{ metric_id: string }>('/api/metrics/', {
      metric_name: `Metric ${index}`,
      event_name: `event-${index}`,
      metric_type: 'counter',
      aggregation_type: 'sum',
      property_name: 'amount',
    });
    const tiers = [
      { type: 'free', range_start: 0, range_end: 100 },
      {
        type: 'per_unit',
        range_start: 100,
        range_end: null,
        cost_per_batch: 0.01,
        metric_units_per_batch: 1,
      },
    ];
    components.push({ metric_id, tiers });
  }
  const plan = await client.post<{ plan_id: string }>('/api/plans/', {
    plan_name: 'Benchmark',
    plan_duration: 'monthly',
    initial_version: {
      currency_code: 'USD',
      recurring_charges: [{ name: 'Fee', charge_timing: 'in_arrears', charge_behavior: 'full', amount: FEE }],
      components,
    },
  });
  return plan.plan_id;
}

const FEE = 5;
const amountOf = (customer: number): number => 100 + (customer % 100);
/** The fee, and a cent for each unit past 100 of each component. */
const costOf = (customer: number): number => FEE + (COMPONENTS * (amountOf(customer) - 100)) / 100;

async function track(client: RecountClient, names: readonly string[], month: number): Promise<void> {
  const events = names.flatMap((name, index) =>
    Array.from({ length: COMPONENTS }, (_, component) => ({
      event_name: `event-${component}`,
      customer_id: name,
      idempotency_id: `${month}/${name}/${component}`,
      time_created: startOf(month).replace('-01T', '-10T'),
      properties: { amount: amountOf(index) },
    })),
  );
  const batches = Array.from({ length: Math.ceil(events.length / BATCH) }, (_, n) =>
    events.slice(n * BATCH, (n + 1) * BATCH),
  );
  await eachOf(batches, 4, (batch) => client.post('/api/track/', { batch }));
}

async function isBilledOnce({ client, rates }: BilledMonths, customers: number): Promise<boolean> {
  interface Invoice {
    readonly customer: { readonly customer_id: string };
    readonly amount: number;
  }
  const invoices = new Map<string, number>();
  for await (const { customer, amount } of client.list<Invoice>('/api/invoices/?limit=1000')) {
    const number = Number(customer.customer_id.split('-')[1]);
    if (Math.abs(amount - costOf(number)) > 1e-9) return false;
    invoices.set(customer.customer_id, (invoices.get(customer.customer_id) ?? 0) + 1);
  }
  return invoices.size === customers && [...invoices.values()].every((count) => count === rates.length);
}

/** `npm run recount -- verify --all`, in the process of its own that an auditor starts. */
async function verifyAll({ databaseUrl }: BenchedService): Promise<Figure> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../src/cli/main.js'), 'verify', '--all'],
    {
      env: { ...process.env, DATABASE_URL: databaseUrl, MASTER_KEY: '0'.repeat(64) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  const [, count, seconds] = /(\d+) invoices computed again in ([\d.]+) s/.exec(said) ?? [];
  return {
    name: 'verification of issued invoices',
    settings: `verify --all over ${count} invoices: ${seconds} s`,
    unit: 'invoices',
    perSecond: Number(count) / Number(seconds),
    check: { what: 'all as issued', holds: code === 0 && Number(count) === CUSTOMERS * VERIFIED_AFTER },
  };
}

/** What a month's runs appended, once more into a bare table: invoices a second. */
async function insertsOfOneMonth(pool: pg.Pool): Promise<number> {
  await pool.query('create table raw_runs (like events including all)');
  const { rows } = await pool.query<{ run: unknown[][] }>(
    `select json_agg(json_build_array(position, stream, revision, id, type, data, metadata)) as run from events
      where position > (select max(position) from events) - $1 group by metadata ->> 'correlationId'`,
    [CUSTOMERS * 4],
  );
  const { perSecond } = await load(rows.length, AT_ONCE, async (index) => {
    const columns = [0, 1, 2, 3, 4, 5, 6].map((column) => rows[index]!.run.map((event) => event[column]));
    await pool.query({
      name: 'raw-run',
      text: `insert into raw_runs select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::uuid[], $5::text[], $6::json[], $7::json[])`,
      values: columns,
    });
  });
  return perSecond;
}
