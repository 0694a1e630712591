import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CheckpointTaken, claimCheckpoint, liveBuild } from '../../../projections/runtime/checkpoint.js';
import {
  requestRetry,
  listParkedStreams,
  ParkedStreams,
} from '../../../projections/runtime/parked-streams.js';
import type { Projection } from '../../../projections/runtime/projection.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import type { ParkedStream } from '../../../src/platform/eventsourcing/read-models.js';
import { until } from '../../support/until.js';
import { freshFold, storedRows } from './fresh-fold.js';
import { caughtUp, Hosts, MOVE, sampleStore } from './host-under-test.js';
import { append, WALLETS, walletsProjection } from './wallets.js';

const OTHER = WALLETS[3]!;

describe('a stream whose event a projection cannot apply', () => {
  let hosts: Hosts;
  beforeAll(async () => {
    hosts = await Hosts.open();
  });
  afterEach(() => hosts.stopAll());
  afterAll(() => hosts.database.drop());

  const parkedBy = async ({ name }: Projection): Promise<ParkedStream[]> =>
    (await listParkedStreams(hosts.database.pool)).filter(({ projection }) => projection === name);
  /** Returns a projection whose handler of `Frozen` fails while `isBroken` is true. */
  const breakable = (suffix: string) => {
    const projection = walletsProjection(suffix);
    const state = { isBroken: true, tries: 0 };
    const frozen = projection.on['Frozen'] as (event: RecordedEvent) => [];
    const Frozen = (event: RecordedEvent): [] => {
      if (!state.isBroken) return frozen(event);
      state.tries += 1;
      throw new Error('out of paint');
    };
    return { projection, state, broken: { ...projection, on: { ...projection.on, Frozen } } };
  };
  const balances = async (suffix: string): Promise<unknown[]> =>
    (await hosts.database.pool.query(`select wallet, balance from wallets_${suffix} order by wallet`)).rows;

  it('is left out from there on after some tries, and the others go on', async () => {
    const { projection, state, broken } = breakable('parking');
    const store = await sampleStore();
    await append(store, MOVE, { type: 'Opened', wallet: OTHER, labels: [] }, { ...MOVE, wallet: OTHER });
    const { progress, log } = await hosts.start(store, [broken]);
    expect(await caughtUp(progress, store)).toBe(true);

    expect(state.tries).toBeGreaterThanOrEqual(4);
    expect(await parkedBy(projection)).toMatchObject([
      { stream: expect.stringContaining(MOVE.wallet), revision: '3', reason: expect.any(String) },
    ]);
    expect((await parkedBy(projection))[0]!.reason).toMatch(
      /event "Frozen" of account-.* at position 8\/8 cannot be applied: out of paint/,
    );
    const parked = /Projection wallets-parking has parked a stream: event "Frozen"/;
    await until(() => parked.test(log.sentences.join()));
    expect(await balances('parking')).toEqual([
      { wallet: MOVE.wallet, balance: '-3' },
      { wallet: OTHER, balance: '11' },
    ]);
  });

  it('is caught up with by newer code, in order and once', async () => {
    const { projection, broken } = breakable('mended');
    const store = await sampleStore();
    const { progress, host } = await hosts.start(store, [broken]);
    await append(store, MOVE, MOVE);
    await caughtUp(progress, store);
    await host.stop();
    await append(store, MOVE);
    expect(await parkedBy(projection)).toHaveLength(1);

    const mended = await hosts.start(store, [projection]);
    expect(await caughtUp(mended.progress, store)).toBe(true);
    expect(await parkedBy(projection)).toEqual([]);
    expect(await storedRows(projection, hosts.database.pool)).toEqual(await freshFold(projection, store));
  });

  it('is tried again when somebody asks, by the process that runs it, and stays parked where it fails', async () => {
    const { projection, state, broken } = breakable('asked');
    const store = await sampleStore();
    const { progress } = await hosts.start(store, [broken]);
    await append(store, MOVE);
    await caughtUp(progress, store);
    const tries = state.tries;
    expect(await requestRetry(hosts.database.pool, projection.name)).toBe(1);
    while (state.tries === tries) await sleep(50);
    await append(store, MOVE);
    expect(await caughtUp(progress, store)).toBe(true);
    expect(await parkedBy(projection)).toHaveLength(1);

    state.isBroken = false;
    await requestRetry(hosts.database.pool, projection.name);
    while ((await parkedBy(projection)).length > 0) await sleep(50);
    await append(store, MOVE);
    expect(await caughtUp(progress, store)).toBe(true);
    expect(await storedRows(projection, hosts.database.pool)).toEqual(await freshFold(projection, store));
  });

  it('is parked, too, when the tables refuse its rows', async () => {
    const projection = walletsProjection('refused');
    const store = await sampleStore();
    await append(store, { type: 'Opened', wallet: WALLETS[2]!, labels: ['nul \u0000'] }, MOVE);
    const { progress } = await hosts.start(store, [projection]);
    expect(await caughtUp(progress, store)).toBe(true);
    expect(await parkedBy(projection)).toMatchObject([{ stream: expect.stringContaining(WALLETS[2]!) }]);
  });

  it('is not parked, nor caught up with, by a process whose lease another one has taken', async () => {
    const projection = walletsProjection('fenced');
    const { pool } = hosts.database;
    const store = await sampleStore();
    await liveBuild(pool, projection);
    const stale = (await claimCheckpoint(pool, projection, 1n))!;
    const parked = await ParkedStreams.open(pool, store, projection, stale);
    await claimCheckpoint(pool, projection, 2n);
    const events: RecordedEvent[] = [];
    for await (const event of store.readAll()) events.push(event);
    await expect(parked.park(events[0]!, 'out of paint')).rejects.toThrow(CheckpointTaken);
    expect(await parkedBy(projection)).toEqual([]);

    await pool.query(
      `insert into projection_parked_streams (projection, version, stream, revision, reason) values ($1, 1, $2, 0, 'other')`,
      [projection.name, events[0]!.stream],
    );
    await expect(ParkedStreams.open(pool, store, projection, stale)).rejects.toThrow(CheckpointTaken);
    expect(await parkedBy(projection)).toHaveLength(1);
    expect(await claimCheckpoint(pool, projection, 1n)).toBeUndefined();
  });
});
