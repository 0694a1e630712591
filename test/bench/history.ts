import { subscribeClients } from '../../demo/content-network.js';
import { RecountClient } from '../support/recount-client.js';
import {
  advance,
  areBilledOnce,
  createPlan,
  dayOf,
  namesOf,
  startOf,
  track,
  withService,
} from './billed-customers.js';
import type { Cluster } from './cluster.js';
import { flatness, median, type Figure } from './report.js';
import type { BenchedService } from './service.js';

const CUSTOMERS = 200;
/** Months by which one half is ahead: a multiple of CYCLE, so that both halves write snapshots in the same months. */
const AHEAD = 64;
/** Months of the other half before measurement: its terms are then partly unsettled, like later ones. */
const BEGUN = 2;
/** Runs between two snapshots of an account. All of a cycle are measured, so the cost of snapshots is included. */
const CYCLE = 8;

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/**
 * Measures the cost of an invoice when the customer's history is ten times as long. Two halves of the customers are
 * billed in turns in the same months by the same service, so that other load affects both. A gauge of deltas is part
 * of the prices, as its level depends on all earlier events.
 */
export const measureHistory = (cluster: Cluster): Promise<Figure> =>
  withService(cluster, async (service) => {
    const client = new RecountClient(service.url, service.key);
    const planId = await createPlan(client, { levels: true });
    const long = namesOf('long', CUSTOMERS);
    const short = namesOf('short', CUSTOMERS);
    await subscribeClients(client, planId, long, startOf(0));
    for (let month = 0; month < AHEAD; month += 1) {
      await advance(client, dayOf(month, 12));
      await track(client, long, dayOf(month, 10));
    }
    await advance(client, dayOf(AHEAD, 15));
    await subscribeClients(client, planId, short, dayOf(AHEAD, 15));
    const costs: { readonly long: Cost; readonly short: Cost }[] = [];
    for (let month = AHEAD; month < AHEAD + BEGUN + CYCLE; month += 1) {
      await advance(client, dayOf(month, 20));
      await track(client, [...long, ...short], dayOf(month, 18));
      costs.push({
        long: await costOf(service, () => advance(client, startOf(month + 1).replace('T00', 'T01'))),
        short: await costOf(service, () => advance(client, dayOf(month + 1, 15).replace('T00', 'T01'))),
      });
    }
    const measured = costs.slice(BEGUN);
    const holds = await areBilledOnce(client, [...long, ...short], (name) =>
      name.startsWith('long') ? AHEAD + BEGUN + CYCLE : BEGUN + CYCLE,
    );
    const wall = costsOf(measured, 'wallMs');
    const cpu = costsOf(measured, 'cpuMs');
    const [months, before] = [AHEAD + BEGUN + CYCLE / 2, BEGUN + CYCLE / 2];
    return {
      ...flatness('a history ten times as long', perSecond(wall.long), perSecond(wall.short), holds),
      settings: `${months} months on average beside ${before}, ${CUSTOMERS} customers each, in turns through ${CYCLE} months; an invoice costs ${wall.ratio} times as much time and ${cpu.ratio} times as much CPU of the service (medians of the months); in all ${wall.ofAll} and ${cpu.ofAll} times`,
    };
  });

async function costOf(service: BenchedService, work: () => Promise<unknown>): Promise<Cost> {
  const [cpu, began] = [await service.cpuTime(), performance.now()];
  await work();
  const wallMs = performance.now() - began;
  return { wallMs, cpuMs: (await service.cpuTime()) - cpu };
}

function costsOf(months: readonly { readonly long: Cost; readonly short: Cost }[], of: keyof Cost) {
  const long = months.reduce((sum, cost) => sum + cost.long[of], 0);
  const short = months.reduce((sum, cost) => sum + cost.short[of], 0);
  const ratio = median(months.map((cost) => cost.long[of] / cost.short[of]));
  return { long, short, ratio: ratio.toFixed(2), ofAll: (long / short).toFixed(2) };
}

const perSecond = (ms: number): number => (CYCLE * CUSTOMERS * 1000) / ms;
