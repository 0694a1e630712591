import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { loadCheckpoint } from '../../../projections/runtime/checkpoint.js';
import { ProjectionProgress } from '../../../projections/runtime/progress.js';
import type { Projection } from '../../../projections/runtime/projection.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { PATIENCE_MS, until } from '../../support/until.js';
import { freshFold, storedRows } from './fresh-fold.js';
import { caughtUp, Hosts, MOVE, sampleStore, whyStopped } from './host-under-test.js';
import { append, WALLETS, walletsProjection } from './wallets.js';

describe('a projection that cannot continue', () => {
  let hosts: Hosts;
  beforeAll(async () => {
    hosts = await Hosts.open();
  });
  afterEach(() => hosts.stopAll());
  afterAll(() => hosts.database.drop());

  it('stops before an event of unknown type, and the others go on', async () => {
    const unknowing = walletsProjection('unknowing');
    const newer = walletsProjection('known');
    const known: Projection = { ...newer, on: { ...newer.on, Evaporated: 'ignore' } };
    const store = await sampleStore();
    const before = await store.head();
    await append(store, { type: 'Evaporated', wallet: WALLETS[1]! }, MOVE);
    const { progress, log } = await hosts.start(store, [unknowing, known]);

    expect(await whyStopped(progress, 'wallets-unknowing')).toMatch(
      /event "Evaporated" of account-.* at position 9\/9 cannot be applied: it does not know the event type/,
    );
    const stopped = /Projection wallets-unknowing has stopped: event "Evaporated"/;
    await until(() => stopped.test(log.sentences.join()));
    expect((await loadCheckpoint(hosts.database.pool, unknowing)).position).toEqual(before);
    const others = new ProjectionProgress(hosts.database.pool, [known]);
    expect(await caughtUp(others, store)).toBe(true);
    expect(await progress.waitFor((await store.head())!, 50)).toBe(false);
    expect(await storedRows(known, hosts.database.pool)).toEqual(await freshFold(known, store));
  });

  it('refuses a checkpoint of another store, and names the way out', async () => {
    const projection = walletsProjection('foreign');
    const { progress, host } = await hosts.start(await sampleStore(), [projection]);
    await progress.waitFor({ commit: 8n, prepare: 8n }, PATIENCE_MS);
    await host.stop();
    const before = await storedRows(projection, hosts.database.pool);

    const other = await hosts.start(await sampleStore(), [projection]);
    expect(await whyStopped(other.progress, projection.name)).toMatch(
      /taken from the event store .*, and this one is .*\. Run `projections rebuild wallets-foreign`/,
    );
    await other.host.stop();
    await hosts.database.pool.query('update projection_checkpoints set stopped = null');
    const empty = await hosts.start(new InMemoryEventStore(), [projection]);
    expect(await whyStopped(empty.progress, projection.name)).toMatch(/this one is empty/);
    expect(await storedRows(projection, hosts.database.pool)).toEqual(before);
  });

  it('refuses a checkpoint beyond the head of the log', async () => {
    const projection = walletsProjection('beyond');
    const store = await sampleStore();
    const { progress, host } = await hosts.start(store, [projection]);
    await caughtUp(progress, store);
    await host.stop();
    await hosts.database.pool.query(
      `update projection_checkpoints set commit = 99 where projection = 'wallets-beyond'`,
    );
    const again = await hosts.start(store, [projection]);
    expect(await whyStopped(again.progress, projection.name)).toMatch(
      /beyond the head of the event store \(99\/8, the head is 8\/8\)\. Run `projections rebuild/,
    );
  });
});
