import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Projection } from '../../../projections/runtime/projection.js';
import { createReadModels } from '../../../projections/runtime/read-model-tables.js';
import { rebuild, rebuildOutdated } from '../../../projections/runtime/rebuild.js';
import type { EventStore } from '../../../src/platform/eventsourcing/store/event-store.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { until } from '../../support/until.js';
import { BreakingStore, caughtUp, Hosts, MOVE, sampleStore } from './host-under-test.js';
import { RecordedLog } from './recorded-log.js';
import { append, WALLETS, walletsProjection } from './wallets.js';

describe('at the start of a process with another version of the projection', () => {
  let hosts: Hosts;
  beforeAll(async () => {
    hosts = await Hosts.open();
  });
  afterEach(() => hosts.stopAll());
  afterAll(() => hosts.database.drop());

  const raised = (projection: Projection, suffix: string): Projection => {
    const [view, table] = [`totals_${suffix}`, projection.tables[`totals_${suffix}`]!];
    const columns = { ...table.columns, doubled: { type: 'numeric', comment: 'Twice the sum' } };
    return { ...projection, version: 2, tables: { ...projection.tables, [view]: { ...table, columns } } };
  };
  const renew = async (store: EventStore, projection: Projection): Promise<string[]> => {
    const log = new RecordedLog();
    const { pool } = hosts.database;
    await createReadModels(pool, [projection]);
    await rebuildOutdated({ store, pool }, [projection], log);
    return log.sentences;
  };

  it('the new columns are read with all their rows, and the process of before leaves it alone', async () => {
    const projection = walletsProjection('raised');
    const store = await sampleStore();
    const old = await hosts.start(store, [projection]);
    await caughtUp(old.progress, store);
    const next = raised(projection, 'raised');
    await renew(store, next);
    const { rows } = await hosts.database.pool.query('select label, doubled from totals_raised');
    expect(rows).toHaveLength(2);

    await append(store, MOVE);
    const started = await hosts.start(store, [next]);
    expect(await caughtUp(started.progress, store)).toBe(true);
    // The new process does not announce its version; the old one finds it when it takes over the lease.
    await started.host.stop();
    const left = /wallets-raised is left to other processes: version 2 of it is read/;
    await until(() => left.test(old.log.sentences.join()));
    expect(await renew(store, next)).toEqual([]);
    expect(await hosts.tablesOf('raised')).toEqual(['totals_raised_v2', 'wallets_raised_v2']);
  });

  it('one that broke off goes on where it was', async () => {
    const projection = walletsProjection('resumed');
    const store = new BreakingStore();
    await append(store, { type: 'Opened', wallet: WALLETS[1]!, labels: [] });
    await append(store, ...Array.from({ length: 5000 }, () => MOVE));
    const { progress, host } = await hosts.start(store, [projection]);
    await caughtUp(progress, store);
    await host.stop();
    const next = raised(projection, 'resumed');
    store.breakAfter = 3000;
    await expect(renew(store, next)).rejects.toThrow('the log is away');
    store.breakAfter = Infinity;
    expect(await renew(store, next)).toContainEqual(expect.stringMatching(/: 3001 events read/));
    const { rows } = await hosts.database.pool.query('select balance from wallets_resumed');
    expect(rows).toEqual([{ balance: String(5000 * MOVE.amount) }]);
  });

  it('one that broke off on another event store begins anew', async () => {
    const projection = walletsProjection('elsewhere');
    const former = new BreakingStore();
    await append(former, { type: 'Opened', wallet: WALLETS[1]!, labels: [] });
    await append(former, ...Array.from({ length: 5000 }, () => MOVE));
    const { progress, host } = await hosts.start(former, [projection]);
    await caughtUp(progress, former);
    await host.stop();
    const next = raised(projection, 'elsewhere');
    former.breakAfter = 3000;
    await expect(renew(former, next)).rejects.toThrow('the log is away');
    const store = new InMemoryEventStore();
    await append(store, { type: 'Opened', wallet: WALLETS[1]!, labels: [] });
    await append(store, ...Array.from({ length: 4000 }, () => ({ ...MOVE, amount: 1 })));
    await renew(store, next);
    const { rows } = await hosts.database.pool.query('select balance, moves from wallets_elsewhere');
    expect(rows).toEqual([{ balance: '4000', moves: '4000' }]);
  });

  it('PostgreSQL is asked as often for many projections as for one', async () => {
    const many = ['first', 'second', 'third'].map((suffix) => walletsProjection(suffix));
    await createReadModels(hosts.database.pool, many);
    const store = await sampleStore();
    const queriesOf = async (projections: readonly Projection[]): Promise<number> => {
      let queries = 0;
      const pool = new Proxy(hosts.database.pool, {
        get(target, name) {
          if (name === 'query' || name === 'connect') queries += 1;
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      await rebuildOutdated({ store, pool }, projections, new RecordedLog());
      return queries;
    };
    await queriesOf(many);
    expect(await queriesOf(many)).toBe(await queriesOf(many.slice(0, 1)));
  });

  it.each([
    ['a long query', 'locked', 'select from wallets_locked_v1', 'rollback'],
    [
      'a view of it',
      'viewed',
      'create view of_viewed as select * from wallets_viewed_v1',
      'drop view of_viewed',
    ],
  ])('%s keeps a table of the former build until the next start', async (_, suffix, hold, release) => {
    const projection = walletsProjection(suffix);
    const store = await sampleStore();
    await createReadModels(hosts.database.pool, [projection]);
    const next = raised(projection, suffix);
    const analyst = await hosts.database.pool.connect();
    if (release === 'rollback') await analyst.query('begin');
    await analyst.query(hold);
    try {
      const started = await renew(store, next);
      expect(started.at(-2)).toBe(`wallets-${suffix}: build 2 is read from now on.`);
      expect(started.at(-1)).toMatch(/former build.*the next start/i);
      expect(await hosts.tablesOf(suffix)).toContain(`wallets_${suffix}_v1`);
      // A half-filled build of another process stays, and the next build is not held up by the former one.
      const other = rebuild({ store, pool: hosts.database.pool }, next);
      expect((await other.next()).value).toMatch(/build 3 is made/);
      expect(await renew(store, next)).toEqual([started.at(-1)]);
      expect(await hosts.tablesOf(suffix)).toContain(`wallets_${suffix}_v3`);
      await analyst.query(release);
      expect(await renew(store, next)).toEqual([]);
      expect(await hosts.tablesOf(suffix)).toEqual(
        ['totals', 'wallets'].flatMap((view) => [`${view}_${suffix}_v2`, `${view}_${suffix}_v3`]),
      );
      for await (const _ of other);
    } finally {
      await analyst.query(release === 'rollback' ? release : `drop view if exists of_${suffix}`);
      analyst.release();
    }
    expect(await hosts.tablesOf(suffix)).toEqual([`totals_${suffix}_v3`, `wallets_${suffix}_v3`]);
  });
});
