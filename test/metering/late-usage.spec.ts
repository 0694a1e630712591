import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Uuid } from '../../src/kernel/ids.js';
import { instant, type Instant } from '../../src/kernel/instant.js';
import { keyOf, newOrg, NOW, openUsageDatabase, sent, type UsageDatabase } from './usage-database.js';

let usage: UsageDatabase;
beforeAll(async () => {
  usage = await openUsageDatabase();
});
afterAll(() => usage.drop());

/** Is there late usage in 31 January from 08:00 to 11:00, counted up to a watermark? */
const lateIn = async (org: Uuid, countedUpTo: bigint, after?: Instant): Promise<Instant | undefined> => {
  const reading = {
    customerKey: keyOf(org),
    eventName: 'request',
    from: instant('2026-01-31T08:00:00Z'),
    to: instant('2026-01-31T11:00:00Z'),
    countedUpTo: countedUpTo.toString(),
  };
  return (await usage.late.firstReceived(org, [reading], after ? [after] : null)).get(0);
};
const LATER = instant('2026-01-31T13:00:00Z');

describe('late usage', () => {
  it('is what was received after its time was counted, sealed or not', async () => {
    const org = newOrg();
    await usage.ingest(org, [sent(1)]);
    const counted = await usage.sealer.seal(org);
    expect(await lateIn(org, counted)).toBeUndefined();
    await usage.ingest(org, [sent(2, { time_created: '2026-01-31T10:59:59.999999Z' })], LATER);
    expect(await lateIn(org, counted)).toBe(LATER);
    const sealed = await usage.sealer.seal(org);
    expect(await lateIn(org, counted)).toBe(LATER);
    expect(await lateIn(org, sealed)).toBeUndefined();
  });

  it('is none of another time, event, customer or organization, nor a repeat', async () => {
    const org = newOrg();
    await usage.ingest(org, [sent(1)]);
    const counted = await usage.sealer.seal(org);
    await usage.ingest(org, [
      sent(1),
      sent(2, { time_created: '2026-01-31T11:00:00Z' }),
      sent(3, { time_created: '2026-01-31T07:59:59Z' }),
      sent(4, { event_name: 'other' }),
      sent(5, { customer_id: 'c-2' }),
    ]);
    await usage.ingest(newOrg(), [sent(6)]);
    expect(await lateIn(org, counted)).toBeUndefined();
  });

  it('is also what a batch brought that was begun before the count and committed after it', async () => {
    const org = newOrg();
    await usage.ingest(org, [sent(1)]);
    const slow = await usage.test.pool.connect();
    await slow.query('begin');
    await slow.query(
      `with b as (insert into usage_batches values ($1, nextval('usage_batch_ids'), null, 1, $2::timestamptz - interval '2 hours', '', $2) returning batch_id)
        insert into usage_events select $1, 'slow', $3, 'request', $2::timestamptz - interval '2 hours', '{}', '\\x00', batch_id from b`,
      [org, NOW, keyOf(org)],
    );
    await usage.ingest(org, [sent(2)]);
    const counted = await usage.sealer.seal(org);
    await slow.query('commit');
    slow.release();
    expect(await lateIn(org, counted)).toBe(NOW);
    const sealed = await usage.sealer.seal(org);
    expect(await lateIn(org, counted)).toBe(NOW);
    expect(await lateIn(org, sealed)).toBeUndefined();
  });

  it('is not asked for what was received up to a time', async () => {
    const org = newOrg();
    const counted = await usage.sealer.seal(org);
    await usage.ingest(org, [sent(1)]);
    await usage.ingest(org, [sent(2)], LATER);
    expect(await lateIn(org, counted)).toBe(NOW);
    expect(await lateIn(org, counted, NOW)).toBe(LATER);
    expect(await lateIn(org, counted, LATER)).toBeUndefined();
  });
});
