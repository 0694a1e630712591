import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createReadModels } from '../../../projections/runtime/read-model-tables.js';
import type { Projection } from '../../../projections/runtime/projection.js';
import { rebuild } from '../../../projections/runtime/rebuild.js';
import type { EventStore } from '../../../src/platform/eventsourcing/store/event-store.js';
import { PATIENCE_MS } from '../../support/until.js';
import { freshFold, storedRows } from './fresh-fold.js';
import { BreakingStore, caughtUp, Hosts, MOVE, sampleStore, whyStopped } from './host-under-test.js';
import { append, WALLETS, walletsProjection } from './wallets.js';

describe('a rebuild', () => {
  let hosts: Hosts;
  beforeAll(async () => {
    hosts = await Hosts.open();
  });
  afterEach(() => hosts.stopAll());
  afterAll(() => hosts.database.drop());

  const begin = (store: EventStore, projection: Projection) =>
    rebuild({ store, pool: hosts.database.pool }, projection);
  const end = async (saying: ReturnType<typeof begin>) => {
    const said: string[] = [];
    for (;;) {
      const { done, value } = await saying.next();
      if (done) return { said, isWell: value };
      said.push(value);
    }
  };
  const run = (store: EventStore, projection: Projection) => end(begin(store, projection));
  const checkpointsOf = async ({ name }: Projection): Promise<unknown[]> =>
    (
      await hosts.database.pool.query(
        'select version, definition, live from projection_checkpoints where projection = $1 order by version',
        [name],
      )
    ).rows;

  it('takes the place of the live build, which is read and follows the log meanwhile', async () => {
    const projection = walletsProjection('anew');
    const store = await sampleStore();
    const { progress } = await hosts.start(store, [projection]);
    await append(store, ...Array.from({ length: 3000 }, () => MOVE));
    await caughtUp(progress, store);

    let isOver = false;
    let [reads, writes] = [0, 0];
    const reading = (async () => {
      while (!isOver) {
        const { rows } = await hosts.database.pool.query('select * from wallets_anew');
        expect(rows).toHaveLength(1);
        reads += 1;
      }
    })();
    const writing = (async () => {
      while (!isOver) {
        await append(store, MOVE);
        await sleep(1);
        writes += 1;
      }
    })();
    const { said, isWell } = await run(store, projection);
    isOver = true;
    await Promise.all([reading, writing]);

    expect(isWell).toBe(true);
    expect(said).toContainEqual(
      expect.stringMatching(/^wallets-anew: wallets_anew: 1 rows, as they were\.$/),
    );
    expect(said.at(-1)).toBe('wallets-anew: build 2 is read from now on.');
    expect(reads).toBeGreaterThan(0);
    expect(writes).toBeGreaterThan(0);
    expect(await hosts.tablesOf('anew')).toEqual(['totals_anew_v2', 'wallets_anew_v2']);
    await append(store, MOVE);
    expect(await caughtUp(progress, store)).toBe(true);
    expect(await storedRows(projection, hosts.database.pool)).toEqual(await freshFold(projection, store));
  });

  it('has statistics of its tables before it is read', async () => {
    const projection = walletsProjection('counted');
    const store = await sampleStore();
    const { progress } = await hosts.start(store, [projection]);
    await caughtUp(progress, store);
    await run(store, projection);

    const [table] = await hosts.tablesOf('counted');
    const { rows } = await hosts.database.pool.query('select from pg_stats where tablename = $1', [table]);
    expect(rows).not.toEqual([]);
  });

  it('says which rows of the live build were not what the log says, and mends them', async () => {
    const projection = walletsProjection('off');
    const store = await sampleStore();
    const { progress } = await hosts.start(store, [projection]);
    await caughtUp(progress, store);
    await hosts.database.pool.query(`update totals_off set amount = amount + 1 where label = 'ann'`);

    const { said, isWell } = await run(store, projection);
    expect(isWell).toBe(false);
    expect(said).toContainEqual(
      expect.stringMatching(
        /totals_off: 2 rows; 1 were not what the log says, such as \{"org":".*","label":"ann"\}/,
      ),
    );
    expect(await storedRows(projection, hosts.database.pool)).toEqual(await freshFold(projection, store));
  });

  it('that is broken off half-way leaves the live build as it is, and the next one begins anew', async () => {
    const projection = walletsProjection('broken');
    const store = new BreakingStore();
    await append(store, { type: 'Opened', wallet: WALLETS[1]!, labels: [] });
    await append(store, ...Array.from({ length: 5000 }, () => MOVE));
    const { progress } = await hosts.start(store, [projection]);
    await caughtUp(progress, store);
    const before = await storedRows(projection, hosts.database.pool);

    store.breakAfter = 3000;
    await expect(run(store, projection)).rejects.toThrow('the log is away');
    expect(await checkpointsOf(projection)).toEqual([
      { version: 1, definition: 1, live: true },
      { version: 2, definition: 1, live: false },
    ]);
    expect(await storedRows(projection, hosts.database.pool)).toEqual(before);
    store.breakAfter = Infinity;
    await append(store, MOVE);
    expect(await caughtUp(progress, store)).toBe(true);

    expect((await run(store, projection)).isWell).toBe(true);
    expect(await hosts.tablesOf('broken')).toHaveLength(2);
    expect(await checkpointsOf(projection)).toMatchObject([{ definition: 1, live: true }]);
    expect(await storedRows(projection, hosts.database.pool)).toEqual(await freshFold(projection, store));
  });

  it('that meets an event it cannot apply names it and changes nothing', async () => {
    const projection = walletsProjection('refusing');
    const store = await sampleStore();
    const { progress } = await hosts.start(store, [projection]);
    await caughtUp(progress, store);
    const failing = (): never => {
      throw new Error('out of paint');
    };
    const broken = { ...projection, on: { ...projection.on, Frozen: failing } };
    await expect(run(store, broken)).rejects.toThrow(
      /event "Frozen" of account-.* at position 8\/8 cannot be applied: out of paint/,
    );
    expect(await storedRows(projection, hosts.database.pool)).toEqual(await freshFold(projection, store));
  });

  it('of a projection that has stopped goes to the head, and the running service goes on from there', async () => {
    const projection = walletsProjection('stuck');
    const store = await sampleStore();
    await append(store, { type: 'Evaporated', wallet: WALLETS[1]! }, MOVE);
    const { progress } = await hosts.start(store, [projection]);
    await whyStopped(progress, projection.name);

    const known: Projection = { ...projection, on: { ...projection.on, Evaporated: 'ignore' } };
    const { said } = await run(store, known);
    expect(said).not.toContainEqual(expect.stringContaining('as they were'));
    await append(store, MOVE);
    expect(await caughtUp(progress, store)).toBe(true);
    expect(await storedRows(known, hosts.database.pool)).toEqual(await freshFold(known, store));
  });

  it('of a projection that followed another event store is made from this one', async () => {
    const projection = walletsProjection('elsewhere');
    const first = await hosts.start(await sampleStore(), [projection]);
    await first.progress.waitFor({ commit: 8n, prepare: 8n }, PATIENCE_MS);
    await first.host.stop();

    const store = await sampleStore();
    await append(store, { type: 'Opened', wallet: WALLETS[3]!, labels: ['new'] });
    const { progress } = await hosts.start(store, [projection]);
    await whyStopped(progress, projection.name);
    await run(store, projection);
    expect(await caughtUp(progress, store)).toBe(true);
    expect(await storedRows(projection, hosts.database.pool)).toEqual(await freshFold(projection, store));
  });

  it('is made by one process at a time: the second one waits for the first', async () => {
    const projection = walletsProjection('twice_built');
    const store = await sampleStore();
    await createReadModels(hosts.database.pool, [projection]);
    const [first, second] = [begin(store, projection), begin(store, projection)];
    expect((await first.next()).value).toMatch(/build 2 is made/);
    expect((await second.next()).value).toMatch(/is waited for/);
    const [, waited] = await Promise.all([end(first), end(second)]);
    expect(waited.said.at(-1)).toMatch(/build 3 is read/);
    expect(await hosts.tablesOf('twice_built')).toHaveLength(2);
  });

  it('waits for who reads a view, and never has them refused', async () => {
    const projection = walletsProjection('analysed');
    const store = await sampleStore();
    const { progress } = await hosts.start(store, [projection]);
    await caughtUp(progress, store);
    const analyst = await hosts.database.pool.connect();
    await analyst.query('begin');
    await analyst.query('select * from wallets_analysed');
    const rebuilding = run(store, projection);
    await sleep(1500);
    await analyst.query('select * from totals_analysed');
    await analyst.query('commit');
    analyst.release();
    expect((await rebuilding).isWell).toBe(true);
  });
});
