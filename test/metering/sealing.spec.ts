import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { instant } from '../../src/kernel/instant.js';
import { keyOf, newOrg, NOW, openUsageDatabase, sent, type UsageDatabase } from './usage-database.js';
import { aCounter } from '../support/builders/metering.js';

let usage: UsageDatabase;
beforeAll(async () => {
  usage = await openUsageDatabase();
});
afterAll(() => usage.drop());

const numbersOf = async (org: string): Promise<number[]> =>
  (
    await usage.test.pool.query<{ n: string }>(
      'select sealed_number as n from usage_batches where org = $1 order by sealed_number',
      [org],
    )
  ).rows.map(({ n }) => Number(n));

const countUpTo = async (org: string, sealedUpTo: bigint): Promise<number> => {
  const window = { start: instant('2026-01-01'), end: instant('2026-02-01') };
  const request = { org, customerKey: keyOf(org), definition: aCounter(), filters: [], window, sealedUpTo };
  return (await usage.reader.count(request)).eventCount;
};

describe('sealing', () => {
  it('numbers the batches of an organization 1, 2, 3 … and answers the last number', async () => {
    const [org, other] = [newOrg(), newOrg()];
    expect(await usage.sealer.seal(org)).toBe(0n);
    for (const n of [1, 2, 3]) await usage.ingest(org, [sent(n)]);
    await usage.ingest(other, [sent(1)]);
    expect(await usage.sealer.seal(org)).toBe(3n);
    expect(await usage.sealer.seal(other)).toBe(1n);
    await usage.ingest(org, [sent(4)]);
    expect(await usage.sealer.seal(org)).toBe(4n);
    expect(await numbersOf(org)).toEqual([1, 2, 3, 4]);
  });

  it('numbers nothing twice: without new usage the watermark stays', async () => {
    const org = newOrg();
    await usage.ingest(org, [sent(1)]);
    expect([await usage.sealer.seal(org), await usage.sealer.seal(org)]).toEqual([1n, 1n]);
    await usage.ingest(org, [sent(1)]);
    expect(await usage.sealer.seal(org)).toBe(1n);
  });

  it('gives a batch that commits later a later number, though its batch id is lower', async () => {
    const org = newOrg();
    const slow = await usage.test.pool.connect();
    await slow.query('begin');
    await slow.query(
      `with b as (insert into usage_batches values ($1, nextval('usage_batch_ids'), null, 1, $2, '', $2) returning batch_id)
        insert into usage_events select $1, 'slow', $3, 'request', $2, '{}', '\\x00', batch_id from b`,
      [org, NOW, keyOf(org)],
    );
    await usage.ingest(org, [sent(1)]);
    const before = await usage.sealer.seal(org);
    expect([before, await countUpTo(org, before)]).toEqual([1n, 1]);
    await slow.query('commit');
    slow.release();
    const after = await usage.sealer.seal(org);
    expect([after, await countUpTo(org, after), await countUpTo(org, before)]).toEqual([2n, 2, 1]);
  });

  it('counts no batch before it has a number', async () => {
    const org = newOrg();
    await usage.ingest(org, [sent(1)]);
    expect(await countUpTo(org, 1_000_000n)).toBe(0);
    await usage.sealer.seal(org);
    expect([await countUpTo(org, 0n), await countUpTo(org, 1n)]).toEqual([0, 1]);
  });

  it('neither skips nor renumbers a batch while requests and closes run side by side', async () => {
    const org = newOrg();
    let acknowledged = 0;
    let writing = true;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; n < 40; n += 1) {
        await usage.ingest(org, [sent(`${writer}-${n}-a`), sent(`${writer}-${n}-b`)]);
        acknowledged += 1;
        // However busy the machine is, a close falls between the requests of every five.
        if (n % 5 === 4) await closed();
      }
    });
    const seen: { watermark: bigint; count: number }[] = [];
    const closed = async () => {
      for (const before = seen.length; seen.length < before + 6;) await sleep(1);
    };
    const closers = Array.from({ length: 3 }, async () => {
      let last = 0n;
      while (writing) {
        const before = BigInt(acknowledged);
        const watermark = await usage.sealer.seal(org);
        expect(watermark).toBeGreaterThanOrEqual(before);
        expect(watermark).toBeGreaterThanOrEqual(last);
        last = watermark;
        seen.push({ watermark, count: await countUpTo(org, watermark) });
      }
    });
    await Promise.all(writers).finally(() => (writing = false));
    await Promise.all(closers);
    expect(await usage.sealer.seal(org)).toBe(160n);
    expect(await numbersOf(org)).toEqual(Array.from({ length: 160 }, (_, n) => n + 1));
    expect(new Set(seen.map(({ watermark }) => watermark)).size).toBeGreaterThan(5);
    for (const { watermark, count } of seen) {
      expect(count).toBe(Number(watermark) * 2);
      expect(await countUpTo(org, watermark)).toBe(count);
    }
  });

  it('numbers every batch once when several close at the same moment', async () => {
    const org = newOrg();
    for (let round = 1; round <= 5; round += 1) {
      for (const n of [1, 2]) await usage.ingest(org, [sent(`${round}-${n}`)]);
      const watermarks = await Promise.all([1, 2, 3, 4].map(() => usage.sealer.seal(org)));
      expect(watermarks).toEqual([1, 2, 3, 4].map(() => BigInt(round * 2)));
    }
    expect(await numbersOf(org)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});
