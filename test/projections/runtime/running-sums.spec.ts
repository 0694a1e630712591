import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PROJECTIONS } from '../../../projections/registry.js';
import { DriftMonitor } from '../../../projections/runtime/drift-monitor.js';
import type { Projection } from '../../../projections/runtime/projection.js';
import type { ProjectionProgress } from '../../../projections/runtime/progress.js';
import { rebuild } from '../../../projections/runtime/rebuild.js';
import { compareSumsWithLog } from '../../../projections/runtime/compare-with-log.js';
import { compareWithSums, correctSums } from '../../../projections/runtime/running-sums.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp } from '../../support/app.js';
import type { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { richTenant } from '../../support/rich-tenant.js';
import { until } from '../../support/until.js';
import { caughtUp, Hosts, MOVE, sampleStore } from './host-under-test.js';
import { RecordedLog } from './recorded-log.js';
import { append, walletsProjection } from './wallets.js';

let hosts: Hosts;
let store: InMemoryEventStore;
let projection: Projection;
let progress: ProjectionProgress;
let runs = 0;
const pool = () => hosts.database.pool;
const differing = async () =>
  (await compareWithSums({ store, pool: pool() }, [projection])).differing.map(({ table }) => table);

beforeAll(async () => {
  hosts = await Hosts.open();
});
beforeEach(async () => {
  projection = walletsProjection(`summed${(runs += 1)}`);
  store = await sampleStore();
  ({ progress } = await hosts.start(store, [projection]));
  await caughtUp(progress, store);
});
afterEach(() => hosts.stopAll());
afterAll(() => hosts.database.drop());

describe('the running sums of a read model', () => {
  it('are those of its rows after every batch', async () => {
    for (let moves = 0; moves < 5; moves += 1) {
      await append(store, MOVE);
      await caughtUp(progress, store);
      expect(await differing()).toEqual([]);
    }
    const { rows } = await pool().query(
      'select sum(rows)::int as rows from read_model_sums where projection = $1',
      [projection.name],
    );
    expect(rows[0].rows).toBeGreaterThan(0);
  });

  it.each([
    ['a changed value', 'update wallets_# set balance = balance + 1'],
    ['a lost row', 'delete from wallets_#'],
    ['an added row', `insert into totals_# select org, 'added', amount from totals_# limit 1`],
    [
      'rows whose values were swapped',
      'update totals_# a set amount = b.amount from totals_# b where a.label <> b.label',
    ],
  ])('show %s, without a read of the log', async (_, change) => {
    const read = jest.spyOn(store, 'readAll');
    await pool().query(change.replaceAll('#', `summed${runs}`));
    expect(await differing()).toEqual([
      change.includes('wallets') ? `wallets_summed${runs}` : `totals_summed${runs}`,
    ]);
    // The next batches do not hide the difference.
    await append(store, MOVE);
    await caughtUp(progress, store);
    expect(await differing()).toHaveLength(1);
    expect(read).not.toHaveBeenCalled();
  });

  it('are those of a new build after a rebuild', async () => {
    await hosts.stopAll();
    for await (const _ of rebuild({ store, pool: pool() }, projection));
    expect(await differing()).toEqual([]);
    const { rows } = await pool().query(
      'select distinct version from read_model_sums where projection = $1',
      [projection.name],
    );
    expect(rows).toEqual([{ version: 2 }]);
  });

  it('are corrected to the rows that the log confirms, and not to changes after the comparison', async () => {
    await pool().query('delete from read_model_sums where projection = $1', [projection.name]);
    const { differences, corrections } = await compareSumsWithLog({ store, pool: pool() }, [projection]);
    expect(differences).toEqual([]);
    await append(store, MOVE);
    await caughtUp(progress, store);
    await pool().query(`delete from totals_summed${runs}`);
    await correctSums(pool(), corrections);
    expect(await differing()).toEqual([`totals_summed${runs}`]);
  });

  it('are not corrected to rows that the log refutes', async () => {
    await pool().query(`update wallets_summed${runs} set balance = balance + 1`);
    const { differences, corrections } = await compareSumsWithLog({ store, pool: pool() }, [projection]);
    expect(differences).toHaveLength(1);
    expect(corrections).toEqual([]);
  });
});

describe('the periodic comparison', () => {
  const start = (times: { foldMs: number }): DriftMonitor => {
    const database = {
      pool: pool(),
      withoutLimit: <T>(work: (own: ReturnType<typeof pool>) => Promise<T>) => work(pool()),
    };
    const monitor = new DriftMonitor(store, database, [projection], new RecordedLog(), {
      idleMs: 20,
      busyMs: 20,
      ...times,
    });
    monitor.start();
    return monitor;
  };

  it('folds the log once while the sums hold, and corrects sums that are younger than their rows', async () => {
    await pool().query('delete from read_model_sums where projection = $1', [projection.name]);
    const read = jest.spyOn(store, 'readAll');
    const looking = jest.spyOn(store, 'head');
    const monitor = start({ foldMs: 600_000 });
    await until(async () => (await differing()).length === 0);
    const looks = looking.mock.calls.length;
    await until(() => looking.mock.calls.length > looks + 5);
    expect(read).toHaveBeenCalledTimes(1);
    await monitor.stop();
  });

  it('folds the log again after the longer time, which finds an event that was skipped', async () => {
    const read = jest.spyOn(store, 'readAll');
    const monitor = start({ foldMs: 50 });
    await until(() => read.mock.calls.length > 1);
    await hosts.stopAll();
    await append(store, MOVE);
    const { commit, prepare } = (await store.head())!;
    await pool().query('update projection_checkpoints set commit = $2, prepare = $3 where projection = $1', [
      projection.name,
      commit,
      prepare,
    ]);
    expect(await differing()).toEqual([]);
    await until(async () => (await progress.differing()).includes(`wallets_summed${runs}`));
    await monitor.stop();
  });
});

it('all projections of the product keep their sums', async () => {
  const app = await startTestApp({ clockStart: '2026-01-20T00:00:00Z' });
  const { customer_id: customer } = await richTenant(app, 'summed');
  await app.advance('2026-04-02T00:00:00Z');
  await app.request.post(`/api/customers/${customer}/delete/`).expect(200);
  await app.request.post(`/api/customers/${customer}/erase/`).expect(200);
  await app.request.get('/api/invoices/').expect(200);
  const stores = { store: app.service.app.get<EventStore>(EVENT_STORE), pool: app.pool };
  expect(await compareWithSums(stores, PROJECTIONS)).toEqual({ differing: [], faults: [], foreign: [] });
  await app.stop();
});
