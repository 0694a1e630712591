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
/** Months that the one half is ahead: whole cycles of eight, so that both are carried forward in the same months. */
const AHEAD = 64;
/** Months that the other half has before it is measured: from then on both have terms that are not settled yet. */
const BEGUN = 2;
/** An account is carried forward once in so many runs: they are all measured, with what that costs and saves. */
const CYCLE = 8;

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/**
 * What an invoice costs when its customer's history is ten times as long: two halves of the customers, billed in turns
 * within the same months by the same service, so that whatever else the machine does meets both. A level that deltas move
 * is among what they are billed for: it carries in all that was before.
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
