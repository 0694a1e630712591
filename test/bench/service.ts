import { startChild, type ServerChild } from './child.js';
import type { Cluster } from './cluster.js';

export interface BenchedService extends ServerChild {
  readonly key: string;
  readonly databaseUrl: string;
}

const KEY = 'the-key-of-the-benchmarks-0123456789';

/** Starts the service on a new database, on the machine's clock or on a manual one that stands at `clock`. */
export async function startBenchedService(
  cluster: Cluster,
  clock?: string,
  eventStoreUrl?: string,
): Promise<BenchedService> {
  const databaseUrl = await cluster.createDatabase();
  const child = await startChild('service-child.js', {
    DATABASE_URL: databaseUrl,
    ...(eventStoreUrl ? { EVENTSTORE_URL: eventStoreUrl } : {}),
    MASTER_KEY: '0'.repeat(64),
    API_KEY: KEY,
    PORT: '0',
    ...(clock ? { CLOCK: 'manual', CLOCK_START: clock } : { CLOCK: 'system' }),
    LOG_LEVEL: 'warn',
    // One key sends the whole load.
    RATE_LIMIT: '1000000',
  });
  return { ...child, key: KEY, databaseUrl };
}
