import { areBilledOnce, billMonths, namesOf, withService } from './billed-customers.js';
import type { Cluster } from './cluster.js';
import { describeCheck } from './report.js';

const ACCOUNTS = [200, 2_000, 20_000];
const MONTHS = 2;

/** Peak memory of the service over billing runs of ever more accounts: it is bounded whatever their number. */
export async function measureManyAccounts(cluster: Cluster): Promise<boolean> {
  console.log('\nmemory of the service over billing runs');
  let allHold = true;
  for (const accounts of ACCOUNTS) {
    const { peaks, holds } = await withService(cluster, async (service) => {
      const bench = await billMonths(service, accounts, 0);
      const subscribed = await service.peakMemory();
      await bench.billOn(MONTHS);
      const billed = await service.peakMemory();
      const right = await areBilledOnce(bench.client, namesOf('customer', accounts), () => MONTHS);
      return { peaks: [subscribed, billed].map(Math.round), holds: right };
    });
    console.log(
      `  measured   at most ${peaks[0]} MB with ${accounts} accounts subscribed, ${peaks[1]} MB with ${MONTHS} months of each billed`,
    );
    console.log(describeCheck({ what: 'every customer has one invoice a month', holds }));
    allHold &&= holds;
  }
  return allHold;
}
