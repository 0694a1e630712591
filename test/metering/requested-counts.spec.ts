import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { instant } from '../../src/kernel/instant.js';
import type { UsageQuestion } from '../../src/metering/domain/counter.js';
import { aBasis, aCounter, aRate } from '../support/builders/metering.js';
import { until } from '../support/until.js';
import { keyOf, newOrg, openUsageDatabase, sent, type UsageDatabase } from './usage-database.js';

const WINDOW = { start: instant('2026-01-01'), end: instant('2026-02-01') };
const forEver = new AbortController().signal;

/** Statements wait for a lock that the test holds: so it sees which are under way. */
describe('counts that requests ask for', () => {
  let usage: UsageDatabase;
  let blocker: pg.PoolClient;
  beforeAll(async () => {
    usage = await openUsageDatabase();
  });
  beforeEach(async () => {
    blocker = await usage.test.pool.connect();
    await blocker.query('begin');
    await blocker.query('lock table usage_events in access exclusive mode');
  });
  afterEach(async () => {
    await blocker.query('rollback');
    blocker.release();
  });
  afterAll(() => usage.drop());

  const question = (org: string, changes: Partial<UsageQuestion> = {}): UsageQuestion => ({
    customerKey: keyOf(org),
    definition: aCounter(),
    filters: [],
    window: WINDOW,
    basis: aBasis(WINDOW),
    ...changes,
  });
  const ofMonths = (org: string, count: number): UsageQuestion[] =>
    Array.from({ length: count }, (_, month) =>
      question(org, { window: { start: instant(`2026-01-0${month + 1}`), end: WINDOW.end } }),
    );
  const waiting = async (): Promise<number> => {
    // Not on the blocker's connection: a transaction sees the activity of its first look.
    const { rows } = await usage.test.pool.query<{ count: string }>(
      `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return Number(rows[0]!.count);
  };
  const settled = (promises: readonly Promise<unknown>[]) => Promise.allSettled(promises);

  it('are made once where the same is asked at once', async () => {
    const org = newOrg();
    const asked = Array.from({ length: 10 }, () =>
      usage.live.countLive(org, [question(org, { definition: aRate() })], forEver),
    );
    await until(async () => (await waiting()) === 1);
    await blocker.query('commit');
    const answers = await Promise.all(asked);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('hold no more than half of the connections for one organization, and another finds one', async () => {
    const [many, other] = [newOrg(), newOrg()];
    const asked = ofMonths(many, 8).map((one) => usage.live.countLive(many, [one], forEver));
    await until(async () => (await waiting()) === 2);
    const others = usage.live.countLive(other, [question(other)], forEver);
    await until(async () => (await waiting()) === 3);
    await blocker.query('commit');
    await Promise.all([...asked, others]);
  });

  it('end in the database when the caller leaves, whatever they count', async () => {
    for (const definition of [aCounter(), aRate()]) {
      const org = newOrg();
      const leaving = new AbortController();
      const asked = [
        usage.live.countLive(org, [question(org, { definition })], leaving.signal),
        usage.reader.countMany([{ ...question(org, { definition }), org, sealedUpTo: 1n }], {
          org,
          signal: leaving.signal,
        }),
      ];
      const ended = settled(asked);
      await until(async () => (await waiting()) === 2);
      leaving.abort(new Error('the caller left'));
      await until(async () => (await waiting()) === 0);
      for (const outcome of await ended)
        expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the caller left' } });
    }
  });

  it('leave their connection to others when the caller leaves', async () => {
    const backends = async (where: string): Promise<number[]> => {
      const { rows } = await usage.test.pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and ${where}`,
      );
      return rows.map(({ pid }) => pid);
    };
    const org = newOrg();
    for (const definition of [aCounter(), aRate()]) {
      const leaving = new AbortController();
      const asked = settled([usage.live.countLive(org, [question(org, { definition })], leaving.signal)]);
      await until(async () => (await waiting()) === 1);
      const [counting] = await backends(`wait_event_type = 'Lock'`);
      leaving.abort(new Error('the caller left'));
      expect(await asked).toMatchObject([{ status: 'rejected', reason: { message: 'the caller left' } }]);
      await until(async () => (await waiting()) === 0);
      await sleep(100);
      expect(await backends('true')).toContain(counting);
    }
    await blocker.query('commit');
    expect(await usage.live.countLive(org, [question(org)], forEver)).toMatchObject([{ quantity: '0' }]);
  });

  it('that take too long are refused as unavailable, and the connection serves the next one', async () => {
    const org = newOrg();
    const asked = usage.live.countLive(org, [question(org)], forEver);
    const ended = settled([asked]);
    await until(async () => (await waiting()) === 1);
    // As its time limit ends it.
    await usage.test.pool.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(await ended).toMatchObject([{ status: 'rejected', reason: { code: 'unavailable' } }]);
    await blocker.query('commit');
    await usage.ingest(org, [sent(1)]);
    expect(await usage.live.countLive(org, [question(org)], forEver)).toMatchObject([{ quantity: '1' }]);
  });
});
