import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type pg from 'pg';
import { COMPONENTS, areBilledOnce, billMonths, namesOf, withService } from './billed-customers.js';
import { withPool, type Cluster } from './cluster.js';
import { flatness, load, median, type Figure } from './report.js';
import type { BenchedService } from './service.js';

const CUSTOMERS = 2_000;
const FEW_CUSTOMERS = 200;
const FEW_MONTHS = 6;
/** After these months there are 10,000 invoices to verify. */
const MONTHS = 5;
const AT_ONCE = 8;

/**
 * Measures billing runs from the due boundary to the issued invoice, month by month: 2,000 subscriptions with a fee
 * and 3 components. It also measures the cost of an invoice with few customers, and verification.
 */
export async function measureBillingRuns(cluster: Cluster): Promise<Figure[]> {
  const few = await withService(cluster, async (service) => {
    const { rates } = await billMonths(service, FEW_CUSTOMERS, FEW_MONTHS);
    return { rates, memory: await service.peakMemory() };
  });
  return withService(cluster, async (service) => {
    const { client, rates } = await billMonths(service, CUSTOMERS, MONTHS);
    const memory = await service.peakMemory();
    const verified = await verifyAll(service);
    const raw = await withPool(service.databaseUrl, insertsOfOneMonth);
    const holds = await areBilledOnce(client, namesOf('customer', CUSTOMERS), () => MONTHS);
    const settings = `${CUSTOMERS} subscriptions, a fee and ${COMPONENTS} tiered components each, ${COMPONENTS} usage events a month; from the clock's step to the readable invoices, renewal and ${MONTHS} months; service and database on one machine; at most ${memory.toFixed(0)} MB in the service, ${few.memory.toFixed(0)} MB with ${FEW_CUSTOMERS}`;
    const perSecond = median(rates.slice(1));
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
        latencies: rates.map((rate) => 1000 / rate),
        check: {
          what: 'every customer has one invoice a month of the amount that its usage comes to',
          holds,
        },
      },
      flatness('ten times as many customers', perSecond, median(few.rates.slice(1)), holds),
      verified,
    ];
  });
}

/** Measures `npm run recount -- verify --all` in a separate process. */
async function verifyAll({ databaseUrl }: BenchedService): Promise<Figure> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../src/cli/main.js'), 'verify', '--all'],
    {
      env: { ...process.env, DATABASE_URL: databaseUrl, MASTER_KEY: '0'.repeat(64) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let printed = '';
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  const [, count, seconds] = /(\d+) invoices computed again in ([\d.]+) s/.exec(printed) ?? [];
  return {
    name: 'verification of issued invoices',
    settings: `verify --all over ${count} invoices: ${seconds} s`,
    unit: 'invoices',
    perSecond: Number(count) / Number(seconds),
    check: { what: 'all as issued', holds: code === 0 && Number(count) === CUSTOMERS * MONTHS },
  };
}

/** Inserts the events of a month's runs into a bare table. @returns invoices per second */
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
