import { subscribeClients } from '../../demo/content-network.js';
import { RecountClient } from '../support/recount-client.js';
import {
  advance,
  areBilledOnce,
  COMPONENTS,
  createPlan,
  dayOf,
  namesOf,
  startOf,
  track,
} from './billed-customers.js';
import { startChild } from './child.js';
import type { Cluster } from './cluster.js';
import { median, type Figure } from './report.js';
import { startBenchedService } from './service.js';

const CUSTOMERS = 400;
const EARLY = 50;
const MONTHS = 4;

interface Measured {
  readonly subscribed: number;
  readonly billed: number;
  /** Processor time of the service in milliseconds per customer. */
  readonly cpu: { readonly subscribing: number; readonly billing: number };
  readonly holds: boolean;
}

/**
 * Measures subscribing and billing with the log in PostgreSQL and in EventStoreDB, in one run. The node is the double
 * in a separate process, with a real node's measured delay of each append, or the node of a connection string, whose
 * log must be empty.
 */
export async function measureEventStores(cluster: Cluster, real?: string): Promise<Figure[]> {
  const double = real ? undefined : await startChild('double-child.js', {});
  try {
    const postgres = await measure(cluster);
    const eventStore = await measure(cluster, real ?? double!.url);
    const node = real ? 'a real node' : 'the double: an append takes 3.6 ms and 0.4 ms for each under way';
    const settings = `${CUSTOMERS} customers; ${node}; service, database, node and client on one machine`;
    const check = {
      what: 'every customer has one invoice a month of the amount that its usage comes to, on both',
      holds: postgres.holds && eventStore.holds,
    };
    const cpuOf = (part: keyof Measured['cpu']) =>
      `processor time of the service ${eventStore.cpu[part].toFixed(1)} ms each, on PostgreSQL ${postgres.cpu[part].toFixed(1)} ms`;
    return [
      {
        name: 'subscribing on EventStoreDB',
        settings: `${settings}; 16 at once, customer and subscription with its first run; ${cpuOf('subscribing')}`,
        unit: 'customers',
        perSecond: eventStore.subscribed,
        ceiling: { name: 'with the log in PostgreSQL', perSecond: postgres.subscribed },
        check,
      },
      {
        name: 'billing on EventStoreDB',
        settings: `${settings}; a fee and ${COMPONENTS} components, renewal and run, the median of ${MONTHS - 1} months; ${cpuOf('billing')}`,
        unit: 'invoices',
        perSecond: eventStore.billed,
        ceiling: { name: 'with the log in PostgreSQL', perSecond: postgres.billed },
        check,
      },
    ];
  } finally {
    await double?.stop();
  }
}

async function measure(cluster: Cluster, eventStoreUrl?: string): Promise<Measured> {
  const service = await startBenchedService(cluster, startOf(0), eventStoreUrl);
  try {
    const client = new RecountClient(service.url, service.key);
    const plan = await createPlan(client);
    // The first customers warm up the code.
    const all = namesOf('customer', CUSTOMERS + EARLY);
    await subscribeClients(client, plan, all.slice(CUSTOMERS), startOf(0));
    const names = all.slice(0, CUSTOMERS);
    const [began, cpuBefore] = [performance.now(), await service.cpuTime()];
    await subscribeClients(client, plan, names, startOf(0));
    const subscribed = (CUSTOMERS / (performance.now() - began)) * 1000;
    const subscribing = ((await service.cpuTime()) - cpuBefore) / CUSTOMERS;
    const rates: number[] = [];
    const cpu: number[] = [];
    for (let month = 0; month < MONTHS; month += 1) {
      await advance(client, dayOf(month, 20));
      await track(client, all, dayOf(month, 10));
      const [from, used] = [performance.now(), await service.cpuTime()];
      await advance(client, startOf(month + 1).replace('T00', 'T01'));
      rates.push((all.length / (performance.now() - from)) * 1000);
      cpu.push(((await service.cpuTime()) - used) / all.length);
    }
    return {
      subscribed,
      billed: median(rates.slice(1)),
      cpu: { subscribing, billing: median(cpu.slice(1)) },
      holds: await areBilledOnce(client, all, () => MONTHS),
    };
  } finally {
    await service.stop();
  }
}
