import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { compareWithLog, describeDifference } from '../../../projections/runtime/compare-with-log.js';
import { DriftMonitor } from '../../../projections/runtime/drift-monitor.js';
import type { Projection } from '../../../projections/runtime/projection.js';
import type { ProjectionProgress } from '../../../projections/runtime/progress.js';
import { createReadModels } from '../../../projections/runtime/read-model-tables.js';
import { rebuild, rebuildOutdated } from '../../../projections/runtime/rebuild.js';
import { compareWithSums } from '../../../projections/runtime/running-sums.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { until } from '../../support/until.js';
import { caughtUp, Hosts, MOVE, sampleStore } from './host-under-test.js';
import { RecordedLog } from './recorded-log.js';
import { append, walletsProjection } from './wallets.js';

describe('a live build that somebody has altered', () => {
  let hosts: Hosts;
  let store: InMemoryEventStore;
  let projection: Projection;
  let progress: ProjectionProgress;
  const monitors: DriftMonitor[] = [];
  let runs = 0;

  beforeAll(async () => {
    hosts = await Hosts.open();
  });
  beforeEach(async () => {
    projection = walletsProjection(`altered${(runs += 1)}`);
    store = await sampleStore();
    ({ progress } = await hosts.start(store, [projection]));
    await caughtUp(progress, store);
    await hosts.database.pool.query('delete from read_model_differences');
  });
  afterEach(async () => {
    for (const monitor of monitors.splice(0)) await monitor.stop();
    await hosts.stopAll();
  });
  afterAll(() => hosts.database.drop());

  const pool = () => hosts.database.pool;
  const run = (statement: string) => pool().query(statement.replaceAll('#', `altered${runs}`));
  const compared = async (log = store): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await compareWithLog({ store: log, pool: pool() }, [projection])).map((one) => [
        one.table.split('_')[0]!,
        describeDifference(one),
      ]),
    );
  function monitored(projections: readonly Projection[] = [projection]): DriftMonitor {
    const database = {
      pool: pool(),
      withoutLimit: <T>(work: (own: ReturnType<typeof pool>) => Promise<T>) => work(pool()),
    };
    const times = { idleMs: 20, busyMs: 600_000, foldMs: 600_000 };
    const monitor = new DriftMonitor(store, database, projections, new RecordedLog(), times);
    monitors.push(monitor);
    return monitor;
  }
  const checkpoint = (set: string) =>
    `update projection_checkpoints set ${set} where projection = 'wallets-#' and live`;

  it.each([
    [checkpoint('definition = 0'), /^it is of version 0 of the projection, and this program has version 1/],
    [checkpoint('store = null'), /^its checkpoint was taken from the event store null, and this one is /],
    [checkpoint('store = gen_random_uuid()'), /^its checkpoint was taken from the event store .*-.*, and/],
    [checkpoint('commit = commit + 9'), /^its checkpoint lies beyond the head of the event store/],
    [checkpoint('live = false'), /^none of its builds is live$/],
    [
      'create or replace view wallets_# as select * from wallets_#_v1 where false',
      /^its view does not show the table/,
    ],
    ['drop view wallets_#', /^its view does not show the table wallets_altered\d+_v1 as it is$/],
    ['drop table wallets_#_v1 cascade', /^its table wallets_altered\d+_v1 is missing$/],
    [
      'alter table wallets_#_v1 drop column frozen cascade',
      /^its table wallets_altered\d+_v1 has other columns/,
    ],
    ['alter table wallets_#_v1 add column more text', /^its table wallets_altered\d+_v1 has other columns/],
  ])('is a difference of a comparison with the log, and of one with the sums: %s', async (change, reason) => {
    const monitor = monitored();
    expect(await monitor.compare()).toEqual([]);
    await run(change);
    expect((await compared()).wallets).toMatch(reason);
    const sums = await compareWithSums({ store, pool: pool() }, [projection]);
    expect([...sums.faults, ...sums.foreign].map(({ table }) => table)).toContain(`wallets_altered${runs}`);
    monitor.start();
    await until(async () => (await progress.differing()).includes(`wallets_altered${runs}`));
  });

  it.each([
    [
      'select org, wallet, balance + 50 as balance, moves, weight, frozen, opened_at, labels, last from # limit 5',
    ],
    [
      'select org, wallet, moves::numeric as balance, balance::bigint as moves, weight, frozen, opened_at, labels, last from #',
    ],
    ['select org, wallet, balance, moves, weight, frozen, opened_at, labels, last from elsewhere.#'],
  ])('is found behind a view with the same columns: %s', async (query) => {
    const table = `wallets_altered${runs}_v1`;
    await run(`create schema elsewhere; create table elsewhere.${table} as table ${table}`);
    await run(
      `create or replace view wallets_# as ${query.replaceAll('#', table)}`.replaceAll(
        '_#',
        `_altered${runs}`,
      ),
    );
    expect(Object.keys(await compared())).toEqual(['wallets']);
    await createReadModels(pool(), [projection]);
    expect(await compared()).toEqual({});
    await run(`drop schema elsewhere cascade`);
  });

  it('is found where the log is gone, or begins with another event', async () => {
    expect((await compared(new InMemoryEventStore())).totals).toMatch(/, and this one is empty\./);
    const other = new InMemoryEventStore();
    await append(other, MOVE, ...Array.from({ length: 20 }, () => MOVE));
    expect((await compared(other)).totals).toMatch(/, and this one is [0-9a-f]{8}-/);
  });

  it('is mended by a rebuild if its view or its table is', async () => {
    await hosts.stopAll();
    await run('drop view totals_#; drop table wallets_#_v1 cascade');
    await createReadModels(pool(), [projection]);
    for await (const _ of rebuild({ store, pool: pool() }, projection));
    expect(await compared()).toEqual({});
  });

  it('is not meant where a process of another version has built it', async () => {
    const monitor = monitored();
    monitor.start();
    await until(async () => (await monitor.compare()).length === 0);
    const next = { ...projection, version: 2 };
    await rebuildOutdated({ store, pool: pool() }, [next], new RecordedLog());
    const newer = monitored([next]);
    newer.start();
    await sleep(200);
    expect(await progress.differing()).toEqual([]);
    await run('delete from wallets_#');
    await until(async () => (await progress.differing()).includes(`wallets_altered${runs}`));
    expect(await monitor.compare()).toEqual([]);
    expect(await progress.differing()).toEqual([`wallets_altered${runs}`]);
    expect((await compared()).wallets).toMatch(
      /^it is of version 2 of the projection, and this program has version 1/,
    );
  });

  it('makes readiness red also where a comparison fails', async () => {
    const monitor = monitored();
    await run('alter table read_model_sums rename to sums_elsewhere');
    try {
      monitor.start();
      await until(async () => monitor.trouble !== undefined);
      expect(monitor.trouble).toBe('The read models cannot be compared with the log.');
    } finally {
      await run('alter table sums_elsewhere rename to read_model_sums');
    }
    await until(async () => monitor.trouble === undefined);
  });
});
