import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it, jest } from '@jest/globals';
import { DriftMonitor, type DriftTimes } from '../../../projections/runtime/drift-monitor.js';
import type { Projection } from '../../../projections/runtime/projection.js';
import type { ProjectionProgress } from '../../../projections/runtime/progress.js';
import type { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { until } from '../../support/until.js';
import { caughtUp, Hosts, MOVE, sampleStore } from './host-under-test.js';
import { RecordedLog } from './recorded-log.js';
import { append, walletsProjection } from './wallets.js';

describe('the periodic comparison of the read models with the log', () => {
  let hosts: Hosts;
  let store: InMemoryEventStore;
  let projection: Projection;
  let progress: ProjectionProgress;
  let monitor: DriftMonitor | undefined;
  let runs = 0;

  beforeAll(async () => {
    hosts = await Hosts.open();
  });
  beforeEach(async () => {
    projection = walletsProjection(`drift${(runs += 1)}`);
    store = await sampleStore();
    ({ progress } = await hosts.start(store, [projection]));
    await caughtUp(progress, store);
    await hosts.database.pool.query('delete from read_model_differences');
  });
  afterEach(async () => {
    await monitor?.stop();
    await hosts.stopAll();
  });
  afterAll(() => hosts.database.drop());

  function start(times: DriftTimes): RecordedLog {
    const { pool } = hosts.database;
    const log = new RecordedLog();
    const database = { pool, withoutLimit: <T>(work: (own: typeof pool) => Promise<T>) => work(pool) };
    monitor = new DriftMonitor(store, database, [projection], log, times);
    monitor.start();
    return log;
  }
  const table = () => `wallets_drift${runs}`;
  const loseRows = () => hosts.database.pool.query(`delete from ${table()}`);

  it('finds lost rows while no event is appended', async () => {
    const log = start({ idleMs: 20, busyMs: 600_000, foldMs: 600_000 });
    await sleep(100);
    expect(await progress.differing()).toEqual([]);
    await loseRows();
    await until(async () => (await progress.differing()).includes(table()));
    await until(() => log.sentences.includes('A read model differs from the log.'));
  });

  it('does not compare while events are appended, until the longer time is over', async () => {
    await loseRows();
    // However busy the machine is, an event comes between any two looks at the log.
    const head = store.head.bind(store);
    const looking = jest.spyOn(store, 'head').mockImplementation(async () => {
      await append(store, MOVE);
      return head();
    });
    start({ idleMs: 5, busyMs: 600_000, foldMs: 600_000 });
    await until(() => looking.mock.calls.length > 10);
    expect(await progress.differing()).toEqual([]);
  });

  it('finds lost rows also while events are appended, after the longer time', async () => {
    start({ idleMs: 20, busyMs: 100, foldMs: 600_000 });
    await loseRows();
    await until(async () => {
      await append(store, MOVE);
      return (await progress.differing()).includes(table());
    });
  });
});
