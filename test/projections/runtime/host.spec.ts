import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { liveBuild, loadCheckpoint } from '../../../projections/runtime/checkpoint.js';
import type { Projection } from '../../../projections/runtime/projection.js';
import { comparePositions, type Position } from '../../../src/kernel/event.js';
import { createPool } from '../../../src/platform/database/pg-pool.js';
import type { EventStore } from '../../../src/platform/eventsourcing/store/event-store.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { startPostgresProxy } from '../../support/postgres-proxy.js';
import { PATIENCE_MS, until } from '../../support/until.js';
import { freshFold, storedRows } from './fresh-fold.js';
import { caughtUp, Hosts, MOVE, sampleStore } from './host-under-test.js';
import { append, HISTORY, walletsProjection } from './wallets.js';

class CountingStore extends InMemoryEventStore {
  handedOut = 0;

  override async *subscribeAll(
    ...args: Parameters<EventStore['subscribeAll']>
  ): ReturnType<InMemoryEventStore['subscribeAll']> {
    for await (const item of super.subscribeAll(...args)) {
      this.handedOut += 1;
      yield item;
    }
  }
}

const isPast = (position: Position | undefined, place: Position): boolean =>
  position !== undefined && comparePositions(position, place) > 0;

describe('the projections of a process', () => {
  let hosts: Hosts;
  beforeAll(async () => {
    hosts = await Hosts.open();
  });
  afterEach(() => hosts.stopAll());
  afterAll(() => hosts.database.drop());

  /**
   * Locks the checkpoint so that the projection's batches wait. `release` unlocks it; `overtake` moves it
   * first, as another process does.
   */
  async function lockCheckpoint(
    projection: Projection,
  ): Promise<{ release: () => Promise<void>; overtake: (to: Position) => Promise<void> }> {
    await liveBuild(hosts.database.pool, projection);
    const client = await hosts.database.pool.connect();
    await client.query('begin');
    await client.query('select 1 from projection_checkpoints where projection = $1 for update', [
      projection.name,
    ]);
    const release = async (): Promise<void> => {
      await client.query('commit');
      client.release();
    };
    return {
      release,
      overtake: async ({ commit, prepare }) => {
        const move = 'update projection_checkpoints set commit = $2, prepare = $3 where projection = $1';
        await client.query(move, [projection.name, commit, prepare]);
        await release();
      },
    };
  }

  it('resume from their own checkpoints', async () => {
    const [early, late] = [walletsProjection('early'), walletsProjection('late')];
    const store = await sampleStore();
    const first = await hosts.start(store, [early]);
    await caughtUp(first.progress, store);
    await first.host.stop();
    await append(store, MOVE);

    const second = await hosts.start(store, [early, late]);
    expect(await caughtUp(second.progress, store)).toBe(true);
    await append(store, MOVE);
    expect(await caughtUp(second.progress, store)).toBe(true);
    expect(await storedRows(early, hosts.database.pool)).toEqual(await freshFold(early, store));
    expect(await storedRows(late, hosts.database.pool)).toEqual(await freshFold(late, store));
  });

  it('hold the reader back while the database does not take their batches', async () => {
    const projection = walletsProjection('long');
    const store = new CountingStore();
    await append(store, ...HISTORY);
    const { progress } = await hosts.start(store, [projection]);
    expect(await caughtUp(progress, store)).toBe(true);
    const { release } = await lockCheckpoint(projection);
    await append(store, ...Array.from({ length: 5000 }, () => MOVE));
    await until(() => store.handedOut > 500);
    await until(async () => {
      const before = store.handedOut;
      await sleep(300);
      return store.handedOut === before;
    });
    expect(store.handedOut).toBeLessThan(4000);
    await release();
    expect(await caughtUp(progress, store)).toBe(true);
    expect(await storedRows(projection, hosts.database.pool)).toEqual(await freshFold(projection, store));
  });

  it('stop within a batch, wherever the log ends, and leave whole batches', async () => {
    const projection = walletsProjection('interrupted');
    const store = await sampleStore();
    await append(store, ...Array.from({ length: 20_000 }, () => MOVE));
    const { progress, host } = await hosts.start(store, [projection]);
    await progress.waitFor({ commit: 1n, prepare: 1n }, PATIENCE_MS);
    await host.stop();

    const { position } = await loadCheckpoint(hosts.database.pool, projection);
    expect(position.commit).toBeLessThan(20_008n);
    const passed = new InMemoryEventStore();
    for await (const { stream, revision, ...event } of store.readAll(undefined, Number(position.commit))) {
      await passed.append(stream, revision === 0n ? 'no_stream' : revision - 1n, [event]);
    }
    expect(await storedRows(projection, hosts.database.pool)).toEqual(await freshFold(projection, passed));
  });

  it('give way to whoever moved the checkpoint, apply nothing twice, and come back', async () => {
    const projection = walletsProjection('overtaken');
    const store = await sampleStore();
    const { progress, log } = await hosts.start(store, [projection]);
    await caughtUp(progress, store);
    const { overtake } = await lockCheckpoint(projection);
    await append(store, MOVE);
    await sleep(50); // The batch waits for the lock.
    await overtake((await store.head())!);
    await append(store, { ...MOVE, by: 'eve' });
    expect(await caughtUp(progress, store)).toBe(true);
    await until(() => log.sentences.includes('Another process runs projection wallets-overtaken.'));
    const { rows } = await hosts.database.pool.query(
      'select label, amount from totals_overtaken order by label',
    );
    expect(rows).toEqual([
      { label: 'ann', amount: '4' },
      { label: 'eve', amount: '11' },
      { label: 'nobody', amount: '5' },
    ]);
  });

  it('have one effect when two processes run the same one', async () => {
    const projection = walletsProjection('twice');
    const store = await sampleStore();
    const pools = [createPool(hosts.database.url, () => {}), createPool(hosts.database.url, () => {})];
    const [one, two] = await Promise.all(pools.map((pool) => hosts.start(store, [projection], pool)));
    for (let n = 0; n < 20; n += 1) await append(store, MOVE);
    expect(await caughtUp(two!.progress, store)).toBe(true);
    expect(await storedRows(projection, hosts.database.pool)).toEqual(await freshFold(projection, store));

    // Whichever of the two ran the projection, the other one continues.
    await one!.host.stop();
    await append(store, MOVE);
    expect(await caughtUp(two!.progress, store)).toBe(true);
    await two!.host.stop();
    await Promise.all(pools.map((pool) => pool.end()));
    expect(await storedRows(projection, hosts.database.pool)).toEqual(await freshFold(projection, store));
  });

  it('take over what another process ran, under load, and miss no event of it', async () => {
    const own = walletsProjection('own');
    const taken = ['taken_a', 'taken_b', 'taken_c', 'taken_d'].map(walletsProjection);
    const store = await sampleStore();
    const pools = [createPool(hosts.database.url, () => {}), createPool(hosts.database.url, () => {})];
    const one = await hosts.start(store, taken, pools[0]);
    expect(await caughtUp(one.progress, store)).toBe(true);
    const two = await hosts.start(store, [own, ...taken], pools[1]);
    await until(async () => (await two.progress.status())[0]?.position !== undefined);

    const load = new AbortController();
    const appending = (async () => {
      for (; !load.signal.aborted; await sleep(1)) await append(store, MOVE, MOVE);
    })();
    await sleep(200);
    await one.host.stop(); // Leaves received events that it has not applied.
    const left = (await store.head())!;
    await until(async () => (await two.progress.status()).every(({ position }) => isPast(position, left)));
    load.abort();
    await appending;

    expect(await caughtUp(two.progress, store)).toBe(true);
    await two.host.stop();
    for (const projection of [own, ...taken]) {
      expect(await storedRows(projection, hosts.database.pool)).toEqual(await freshFold(projection, store));
    }
    await Promise.all(pools.map((pool) => pool.end()));
  });

  it('are taken over from a process that is frozen, which writes nothing when it thaws', async () => {
    const projection = walletsProjection('frozen');
    const store = await sampleStore();
    const proxy = await startPostgresProxy(hosts.database.url);
    const pools = [createPool(proxy.url, () => {}), createPool(hosts.database.url, () => {})];
    const cold = await hosts.start(store, [projection], pools[0]);
    expect(await caughtUp(cold.progress, store)).toBe(true);
    const next = await hosts.start(store, [projection], pools[1]);
    const epochOf = async () => (await loadCheckpoint(hosts.database.pool, projection)).epoch;
    const before = await epochOf();

    proxy.stalled = true;
    await append(store, MOVE, MOVE);
    expect(await caughtUp(next.progress, store)).toBe(true);
    expect(await epochOf()).toBe(before + 1n);
    proxy.stalled = false; // Statements of the frozen process are executed now.
    await append(store, { ...MOVE, by: 'eve' });
    await until(() => cold.log.sentences.includes('Another process runs projection wallets-frozen.'));
    expect(await caughtUp(next.progress, store)).toBe(true);
    expect(await storedRows(projection, hosts.database.pool)).toEqual(await freshFold(projection, store));
    expect(await epochOf()).toBe(before + 1n);
    expect(next.log.sentences).toEqual([]);

    // After the other process ends, the first one begins where that one has stopped.
    await next.host.stop();
    await append(store, MOVE);
    expect(await caughtUp(cold.progress, store)).toBe(true);
    await cold.host.stop();
    await Promise.all(pools.map((pool) => pool.end()));
    await proxy.close();
    expect(await storedRows(projection, hosts.database.pool)).toEqual(await freshFold(projection, store));
  });

  it('survive the loss of every connection they have', async () => {
    const projection = walletsProjection('lost');
    const store = await sampleStore();
    const pool = createPool(hosts.database.url, () => {});
    const { progress, host } = await hosts.start(store, [projection], pool);
    await caughtUp(progress, store);
    await hosts.database.pool.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    await append(store, MOVE);
    expect(await caughtUp(progress, store)).toBe(true);
    await host.stop();
    await pool.end();
    expect(await storedRows(projection, hosts.database.pool)).toEqual(await freshFold(projection, store));
  });

  it('start on an empty store and know it once it has its first event', async () => {
    const projection = walletsProjection('first');
    const store = new InMemoryEventStore();
    const { progress } = await hosts.start(store, [projection]);
    await append(store, ...HISTORY);
    expect(await caughtUp(progress, store)).toBe(true);
    expect((await loadCheckpoint(hosts.database.pool, projection)).store).toBe(await store.identity());
  });
});
