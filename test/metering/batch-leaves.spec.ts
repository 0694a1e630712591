import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { batchesUpTo } from '../../src/transparency/usage-batch-leaves.js';
import { newOrg, openUsageDatabase, sent, type UsageDatabase } from './usage-database.js';

let usage: UsageDatabase;
beforeAll(async () => {
  usage = await openUsageDatabase();
});
afterAll(() => usage.drop());

/** Rows of each answer, beside the leaves. */
async function leavesOf(org: string, upTo: number) {
  const answers: number[] = [];
  const query = async (statement: pg.QueryConfig) => {
    const answer = await usage.test.pool.query(statement);
    answers.push(answer.rows.length);
    return answer;
  };
  const leaves = await batchesUpTo({ query } as unknown as pg.Pool, org, 0, upTo);
  const [batches, ...rows] = answers;
  return { leaves, batches, rows };
}

describe('the leaves of sealed usage batches', () => {
  it('are computed from rows that come a thousand at a time', async () => {
    const org = newOrg();
    for (const request of [1, 2, 3]) {
      const batch = Array.from({ length: 400 * request - 200 }, (_, n) => sent(`${request}:${n}`));
      await usage.ingest(org, batch);
    }
    await usage.sealer.seal(org);
    const { leaves, batches, rows } = await leavesOf(org, 3);
    expect({ batches, rows }).toEqual({ batches: 3, rows: [800, 1_000] });
    expect(leaves.map(({ number, events }) => [number, events])).toEqual([
      [1, 200],
      [2, 600],
      [3, 1_000],
    ]);
  });

  it('are computed from rows of twenty batches at a time, as a batch of large events has few rows', async () => {
    const org = newOrg();
    for (let n = 0; n < 50; n += 1) await usage.ingest(org, [sent(n)]);
    await usage.sealer.seal(org);
    const { leaves, rows } = await leavesOf(org, 50);
    expect(rows).toEqual([20, 20, 10]);
    expect(leaves.map(({ events }) => events)).toEqual(Array.from({ length: 50 }, () => 1));
  });
});
