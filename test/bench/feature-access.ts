import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { subscribeClients } from '../../demo/content-network.js';
import { RecountClient } from '../support/recount-client.js';
import { namesOf } from './billed-customers.js';
import { withPool, type Cluster } from './cluster.js';
import type { Figure } from './report.js';
import { startBenchedService } from './service.js';

const CUSTOMERS = 200;
const CONNECTIONS = 32;
/** Rounds are short and alternate: other load affects neighbouring rounds alike, so their ratio is stable. */
const SECONDS = 1;
const WARM_UP_SECONDS = 5;
const ROUNDS = 9;
const SETTLE_MS = 250;

/**
 * Measures `GET /api/feature_access/` for subscribed customers, beside `GET /api/ping/` with the same server, key,
 * client and middleware, whose handler returns only the organization's id. Reports the two neighbouring rounds with
 * the median ratio.
 */
export async function measureFeatureAccess(cluster: Cluster): Promise<Figure> {
  const service = await startBenchedService(cluster);
  try {
    const client = new RecountClient(service.url, service.key);
    const { feature_id: featureId } = await client.post<{ feature_id: string }>('/api/features/', {
      feature_name: 'Export',
    });
    const { plan_id: planId } = await client.post<{ plan_id: string }>('/api/plans/', {
      plan_name: 'Benchmark',
      plan_duration: 'monthly',
      initial_version: { currency_code: 'USD', features: [featureId] },
    });
    const names = namesOf('customer', CUSTOMERS);
    await subscribeClients(client, planId, names, new Date().toISOString());
    // PostgreSQL does this by itself within a minute.
    await withPool(service.databaseUrl, (pool) => pool.query('analyze'));
    const paths = names.map((name) => `/api/feature_access/?customer_id=${name}&feature_id=${featureId}`);
    const access = (seconds: number) => fire(service, paths, seconds, '"access":true');
    const ping = (seconds: number) => fire(service, ['/api/ping/'], seconds, 'organization_id');
    await access(WARM_UP_SECONDS);
    await ping(WARM_UP_SECONDS);
    const rounds: { readonly access: number; readonly ping: number }[] = [];
    const latencies: number[] = [];
    let areAllRight = true;
    for (let round = 0; round < ROUNDS; round += 1) {
      const trivial = await ping(SECONDS);
      const measured = await access(SECONDS);
      areAllRight &&= trivial.areAllRight && measured.areAllRight;
      rounds.push({ access: measured.perSecond, ping: trivial.perSecond });
      latencies.push(...measured.latencies);
      await sleep(SETTLE_MS);
    }
    const typical = rounds.sort((a, b) => a.access / a.ping - b.access / b.ping)[ROUNDS >> 1]!;
    return {
      name: 'access to a feature over HTTP: GET /api/feature_access/',
      settings: `${CONNECTIONS} connections, ${CUSTOMERS} customers with one subscription each, the median ratio of ${ROUNDS} rounds of ${SECONDS} s in turns after ${WARM_UP_SECONDS} s of either; service, database and client on one machine`,
      unit: 'answers',
      perSecond: typical.access,
      ceiling: { name: 'GET /api/ping/ of the same server', perSecond: typical.ping },
      latencies,
      check: { what: 'every answer was 200, and every customer has access', holds: areAllRight },
    };
  } finally {
    await service.stop();
  }
}

interface Fired {
  readonly latencies: readonly number[];
  readonly perSecond: number;
  /** True when every answer was 200 with the expected text. */
  readonly areAllRight: boolean;
}

async function fire(
  { url, key }: { readonly url: string; readonly key: string },
  paths: readonly string[],
  duration: number,
  expected: string,
): Promise<Fired> {
  const latencies: number[] = [];
  let isRight = true;
  const headers = { 'x-api-key': key };
  const began = performance.now();
  const running = autocannon({
    url,
    connections: CONNECTIONS,
    duration,
    requests: paths.map((path) => ({
      method: 'GET',
      path,
      headers,
      onResponse: (status: number, body: string) => {
        isRight &&= status === 200 && body.includes(expected);
      },
    })),
  });
  let last = began;
  running.on('response', (_, __, ___, milliseconds) => {
    latencies.push(milliseconds);
    last = performance.now();
  });
  const { errors, timeouts } = await running;
  const perSecond = (latencies.length / (last - began)) * 1000;
  return { latencies, perSecond, areAllRight: isRight && errors + timeouts === 0 };
}
