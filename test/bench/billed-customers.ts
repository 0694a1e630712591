import { subscribeClients } from '../../demo/content-network.js';
import { RecountClient } from '../support/recount-client.js';
import { forEachConcurrent } from '../../src/platform/concurrency/limits.js';
import type { Cluster } from './cluster.js';
import { startBenchedService, type BenchedService } from './service.js';

export const COMPONENTS = 3;
const BATCH = 500;
const FEE = 5;

/** Returns midnight of the first of a month, counted from January 2026. */
export const startOf = (month: number): string =>
  new Date(Date.UTC(2026, month, 1)).toISOString().replace('.000', '');

/** Returns midnight of a day of a month, counted from January 2026. */
export const dayOf = (month: number, day: number): string =>
  startOf(month).replace('-01T', `-${String(day).padStart(2, '0')}T`);

/** Advances the clock. An advance continues when its request times out, so this waits for its end. */
export async function advance(client: RecountClient, to: string): Promise<void> {
  for (;;) {
    try {
      await client.post('/api/test_clock/advance/', { to });
      return;
    } catch (error) {
      if (!hasTimedOut(error)) throw error;
    }
  }
}

/** Tells whether a request timed out. The client wraps the error of `fetch`, which wraps that of its connection. */
function hasTimedOut(error: unknown): boolean {
  for (let one = error as { code?: string; cause?: unknown }; one; one = one.cause as typeof one) {
    if (one.code === 'UND_ERR_HEADERS_TIMEOUT') return true;
  }
  return false;
}

export async function withService<T>(
  cluster: Cluster,
  work: (service: BenchedService) => Promise<T>,
): Promise<T> {
  const service = await startBenchedService(cluster, startOf(0));
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

export interface BilledMonths {
  readonly client: RecountClient;
  /** Invoices per second, by month. */
  readonly rates: number[];
  billOn(months: number): Promise<void>;
}

/** Bills customers of one plan on the first of each month. */
export async function billMonths(
  service: BenchedService,
  customers: number,
  months: number,
): Promise<BilledMonths> {
  const client = new RecountClient(service.url, service.key);
  const names = namesOf('customer', customers);
  await subscribeClients(client, await createPlan(client), names, startOf(0));
  const rates: number[] = [];
  const billOn = async (until: number): Promise<void> => {
    while (rates.length < until) {
      const month = rates.length;
      await advance(client, dayOf(month, 20));
      await track(client, names, dayOf(month, 10));
      const began = performance.now();
      await advance(client, startOf(month + 1).replace('T00', 'T01'));
      rates.push((customers / (performance.now() - began)) * 1000);
    }
  };
  await billOn(months);
  return { client, rates, billOn };
}

export const namesOf = (group: string, customers: number): string[] =>
  Array.from({ length: customers }, (_, index) => `${group}-${index}`);

/** Creates the plan. @param levels also counts the events of the first metric as gauge deltas, free of charge */
export async function createPlan(client: RecountClient, { levels = false } = {}): Promise<string> {
  const components: object[] = [];
  if (levels) {
    const { metric_id } = await client.post<{ metric_id: string }>('/api/metrics/', {
      metric_name: 'Level',
      event_name: 'event-0',
      metric_type: 'gauge',
      aggregation_type: 'max',
      event_type: 'delta',
      granularity: 'months',
      property_name: 'amount',
    });
    components.push({ metric_id, tiers: [{ type: 'free', range_start: 0, range_end: null }] });
  }
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

const amountOf = (customer: number): number => 100 + (customer % 100);
/** Returns the amount of an invoice: the fee, and a cent for each unit above 100 of each component. */
const costOf = (customer: number): number => FEE + (COMPONENTS * (amountOf(customer) - 100)) / 100;

/** Sends one event per customer and component. */
export async function track(client: RecountClient, names: readonly string[], at: string): Promise<void> {
  const events = names.flatMap((name, index) =>
    Array.from({ length: COMPONENTS }, (_, component) => ({
      event_name: `event-${component}`,
      customer_id: name,
      idempotency_id: `${at}/${name}/${component}`,
      time_created: at,
      properties: { amount: amountOf(index) },
    })),
  );
  const batches = Array.from({ length: Math.ceil(events.length / BATCH) }, (_, n) =>
    events.slice(n * BATCH, (n + 1) * BATCH),
  );
  await forEachConcurrent(batches, 4, (batch) => client.post('/api/track/', { batch }));
}

/** Tells whether every customer has the expected number and amounts of invoices, and no one else has any. */
export async function areBilledOnce(
  client: RecountClient,
  names: readonly string[],
  months: (name: string) => number,
): Promise<boolean> {
  interface Invoice {
    readonly customer: { readonly customer_id: string };
    readonly amount: number;
  }
  const invoices = new Map(names.map((name) => [name, 0]));
  for await (const { customer, amount } of client.list<Invoice>('/api/invoices/?limit=1000')) {
    const { customer_id: name } = customer;
    if (Math.abs(amount - costOf(Number(name.split('-')[1]))) > 1e-9) return false;
    invoices.set(name, (invoices.get(name) ?? 0) + 1);
  }
  return invoices.size === names.length && names.every((name) => invoices.get(name) === months(name));
}
