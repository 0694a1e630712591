import { areBilledOnce, billMonths, namesOf, withService } from './billed-customers.js';
import type { Cluster } from './cluster.js';
import { describeCheck } from './report.js';

const ACCOUNTS = [200, 2_000, 20_000];
const MONTHS = 2;
/** Number of accounts with which the bounded caches are full. */
const FULL = 2_000;
const MATERIAL = 1.15;

interface Memory {
  readonly accounts: number;
  /** Peak memory of the process until the last bill. */
  readonly peak: number;
  /** Live heap after the subscriptions and after each month. */
  readonly live: readonly number[];
  readonly holds: boolean;
}

/**
 * Measures the service's memory in billing runs of ever more accounts, each time ten times as many. Bounded caches
 * must limit the live heap, and with it the peak.
 */
export async function measureManyAccounts(cluster: Cluster): Promise<boolean> {
  console.log('\nmemory of the service over billing runs');
  const measured: Memory[] = [];
  for (const accounts of ACCOUNTS) {
    const memory = await memoryOver(cluster, accounts);
    console.log(
      `  measured   at most ${memory.peak.toFixed(0)} MB with ${accounts} accounts, ${MONTHS} months of each billed; alive in the heap ${memory.live.map(Math.round).join(', ')} MB after the subscriptions and after each month`,
    );
    const before = measured.at(-1);
    if (before) {
      const [peak, live] = [memory.peak / before.peak, memory.live.at(-1)! / before.live.at(-1)!];
      console.log(
        `             ${peak.toFixed(2)} times the peak of ${before.accounts} accounts, ${live.toFixed(2)} times what was alive`,
      );
    }
    measured.push(memory);
  }
  const [few, many] = [measured.find(({ accounts }) => accounts === FULL)!, measured.at(-1)!];
  const checks = [
    {
      what: 'every customer has one invoice a month of the amount that its usage comes to',
      holds: measured.every(({ holds }) => holds),
    },
    {
      what: `with ${many.accounts} accounts at most ${MATERIAL} times as much is alive as with ${few.accounts}`,
      holds: many.live.at(-1)! <= MATERIAL * few.live.at(-1)!,
    },
  ];
  for (const check of checks) console.log(describeCheck(check));
  return checks.every(({ holds }) => holds);
}

const memoryOver = (cluster: Cluster, accounts: number): Promise<Memory> =>
  withService(cluster, async (service) => {
    const bench = await billMonths(service, accounts, 0);
    const live = [await service.liveHeap()];
    for (let month = 1; month <= MONTHS; month += 1) {
      await bench.billOn(month);
      live.push(await service.liveHeap());
    }
    const peak = await service.peakMemory();
    const holds = await areBilledOnce(bench.client, namesOf('customer', accounts), () => MONTHS);
    return { accounts, peak, live, holds };
  });
