import { createPlan } from '../../demo/content-network.js';
import { RecountClient } from '../support/recount-client.js';
import type { Cluster } from './cluster.js';
import { withPool } from './cluster.js';
import { startBenchedService } from './service.js';

/** The columns of an event, without position. */
export interface LogRow {
  readonly stream: string;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

export interface SampleLog {
  /** Events of the organization, metrics and plan. */
  readonly common: readonly LogRow[];
  /** Events of one customer, in the phases of a month: started, renewed, billed. */
  readonly phases: readonly (readonly LogRow[])[];
}

const OF_ONE_CUSTOMER = /^(customer|subscription|account|numberseries)-/;

/** Records the events that the service writes for a customer with usage in a month, as the sample for long logs. */
export async function recordSampleLog(cluster: Cluster): Promise<SampleLog> {
  const service = await startBenchedService(cluster, '2026-01-01T00:00:00Z');
  const client = new RecountClient(service.url, service.key);
  const planId = await createPlan(client);
  await client.post('/api/customers/', { customer_id: 'sample', customer_name: 'A sample' });
  const subscription = { customer_id: 'sample', plan_id: planId, start_date: '2026-01-01T00:00:00Z' };
  await client.post('/api/subscriptions/', subscription);
  await client.post('/api/test_clock/advance/', { to: '2026-01-20T00:00:00Z' });
  const usage = { event_name: 'request', customer_id: 'sample', time_created: '2026-01-19T00:00:00Z' };
  await client.post('/api/track/', { ...usage, idempotency_id: 'used', properties: { bytes: 12_345 } });
  await client.post('/api/test_clock/advance/', { to: '2026-02-01T02:00:00Z' });
  await service.stop();
  return withPool(service.databaseUrl, async (pool) => {
    const { rows } = await pool.query<LogRow>(
      'select stream, id, type, data::text, metadata::text from events order by position',
    );
    const own = rows.filter(({ stream }) => OF_ONE_CUSTOMER.test(stream));
    const renewed = own.findIndex(({ type }) => type === 'SubscriptionRenewed');
    const billed = own.findIndex(({ type }) => type === 'UsagePeriodClosed');
    if (!(0 < renewed && renewed < billed))
      throw new Error('the sample log is not in the phases it should be');
    return {
      common: rows.filter(({ stream }) => !OF_ONE_CUSTOMER.test(stream)),
      phases: [own.slice(0, renewed), own.slice(renewed, billed), own.slice(billed)],
    };
  });
}

/** Generates a log of `events` events by repeating the sample's customer with new ids. */
export function* manyTimes({ common, phases }: SampleLog, events: number): Generator<LogRow> {
  yield* common;
  const shared = new Set(common.flatMap(idsOf));
  const each = phases.reduce((sum, phase) => sum + phase.length, 0);
  const customers = Math.ceil((events - common.length) / each);
  let left = events - common.length;
  for (const phase of phases)
    for (let customer = 0; customer < customers; customer += 1)
      for (const row of phase) if (left-- > 0) yield renamed(row, customer, shared);
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const idsOf = ({ stream, id, data, metadata }: LogRow): string[] =>
  `${stream} ${id} ${data} ${metadata}`.match(UUID) ?? [];

function renamed(row: LogRow, customer: number, shared: ReadonlySet<string>): LogRow {
  const prefix = (customer + 1).toString(16).padStart(8, '0');
  const rename = (text: string): string =>
    text.replace(UUID, (id) => (shared.has(id) ? id : prefix + id.slice(8)));
  return {
    stream: rename(row.stream),
    id: rename(row.id),
    type: row.type,
    data: rename(row.data),
    metadata: rename(row.metadata),
  };
}
