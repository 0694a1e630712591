import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProjectionProgress } from '../../../projections/runtime/progress.js';
import { ProjectionRunner } from '../../../projections/runtime/projection-runner.js';
import type { Position, RecordedEvent } from '../../../src/kernel/event.js';
import { instant } from '../../../src/kernel/instant.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { PATIENCE_MS, until } from '../../support/until.js';
import { RecordedLog } from './recorded-log.js';
import { BEFORE_ALL } from '../../../src/kernel/event.js';

/** Interval of batches that is longer than any test: an applied batch did not wait for it. */
const INTERVALS = { everyMs: 3_600_000, awaitedEveryMs: 0 };
const ID = '0b8f6d0e-2f5c-4c55-9d6b-3f1f0a1c7e10';

const at = (place: number): Position =>
  place === 0 ? BEFORE_ALL : { commit: BigInt(place), prepare: BigInt(place) };

const eventAt = (place: number): RecordedEvent => ({
  id: ID,
  stream: `plan-${ID}.${ID}`,
  revision: BigInt(place),
  position: at(place),
  type: 'PlanCreated',
  data: {},
  metadata: {
    org: ID,
    commandId: ID,
    correlationId: ID,
    actor: ID,
    recordedAt: instant('2026-01-01T00:00:00Z'),
    schemaVersion: 1,
  },
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function begin(intervals = INTERVALS) {
  const progress = new ProjectionProgress(database.pool, [{ name: 'some', tables: {} }]);
  const batches: number[] = [];
  const reached: Position[] = [];
  const context = {
    name: 'some',
    writer: {
      apply: async (_: Position, events: readonly RecordedEvent[], __: unknown, to?: Position) => {
        batches.push(events.length);
        reached.push(to!);
      },
    },
    park: async () => {},
    storedPosition: async () => BEFORE_ALL,
    storeIdentity: async () => ID,
    progress,
    logger: new RecordedLog(),
  };
  const runner = new ProjectionRunner(context, BEFORE_ALL, intervals);
  const ended = runner.run();
  const offer = (first: number, last: number): void => {
    for (let place = first; place <= last; place += 1)
      void runner.enqueue(eventAt(place), 1_000, at(place - 1));
  };
  return { progress, batches, reached, runner, ended, offer };
}

describe('a batch collects events', () => {
  it('until somebody waits for one of them', async () => {
    const { progress, batches, runner, ended, offer } = begin();
    offer(1, 3);
    expect(await progress.waitFor(at(3), 60_000)).toBe(true);
    offer(4, 5);
    expect(await progress.waitFor(at(4), 60_000)).toBe(true);
    expect(batches).toEqual([3, 2]);
    runner.stop();
    expect(await ended).toEqual({ end: 'left' });
  });

  it('until it is full', async () => {
    const { batches, runner, ended, offer } = begin();
    offer(1, 999);
    await new Promise(setImmediate);
    expect(batches).toEqual([]);
    offer(1_000, 1_000);
    await new Promise(setImmediate);
    expect(batches).toEqual([1_000]);
    runner.stop();
    expect(await ended).toEqual({ end: 'left' });
  });

  it('until they are large, and then the reader waits with the next', async () => {
    const { batches, runner, ended } = begin();
    const rooms = Array.from({ length: 16 }, (_, place) =>
      runner.enqueue(eventAt(place + 1), 500_000, at(place)),
    );
    expect(rooms.findIndex((room) => room !== undefined)).toBe(15);
    await rooms.at(-1);
    await new Promise(setImmediate);
    expect(batches).toEqual([16]);
    runner.stop();
    expect(await ended).toEqual({ end: 'left' });
  });

  it('until the process stops, which leaves them to the next start', async () => {
    const { batches, runner, ended, offer } = begin();
    offer(1, 1);
    await new Promise(setImmediate);
    runner.stop();
    expect(await ended).toEqual({ end: 'left' });
    expect(batches).toEqual([]);
  });
});

describe('events that do not concern a projection', () => {
  it('are passed with the batch before them, or for requests at once and for the checkpoint with the next', async () => {
    const { progress, batches, reached, runner, ended, offer } = begin();
    offer(1, 2);
    runner.skip(eventAt(3), at(2));
    expect(await progress.waitFor(at(3), 60_000)).toBe(true);
    runner.skip(eventAt(4), at(3));
    expect(await progress.waitFor(at(4), 0)).toBe(true);
    expect(reached).toEqual([at(3)]);
    offer(5, 5);
    expect(await progress.waitFor(at(5), 60_000)).toBe(true);
    expect(batches).toEqual([2, 1]);
    expect(reached).toEqual([at(3), at(5)]);
    runner.stop();
    expect(await ended).toEqual({ end: 'left' });
  });

  it('count as a change of their organization before they count as passed', async () => {
    const { progress, runner, ended } = begin();
    const before = progress.lastChangeOf(ID);
    const changes: number[] = [];
    const passed = progress.waitFor(at(3), PATIENCE_MS).then(() => changes.push(progress.lastChangeOf(ID)));
    runner.skip(eventAt(3), at(0));
    await passed;
    expect(changes[0]).toBeGreaterThan(before);
    runner.stop();
    expect(await ended).toEqual({ end: 'left' });
  });

  it('move the checkpoint on their own, though nobody waits for them', async () => {
    const { batches, reached, runner, ended } = begin({ everyMs: 5, awaitedEveryMs: 0 });
    runner.skip(eventAt(1), BEFORE_ALL);
    await until(() => reached.length > 0);
    expect({ batches, reached }).toEqual({ batches: [0], reached: [at(1)] });
    runner.stop();
    expect(await ended).toEqual({ end: 'left' });
  });

  it('are not passed before what came before them and does', async () => {
    const { progress, reached, runner, ended, offer } = begin();
    offer(1, 1_500);
    runner.skip(eventAt(1_501), at(1_500));
    expect(await progress.waitFor(at(1_501), 60_000)).toBe(true);
    expect(reached).toEqual([at(1_000), at(1_501)]);
    runner.stop();
    expect(await ended).toEqual({ end: 'left' });
  });
});

describe('an event that does not follow what a projection has had', () => {
  it.each(['offered', 'passed'] as const)(
    'ends its run before it is %s, and nothing of it is applied',
    async (how) => {
      const { batches, runner, ended, offer } = begin();
      offer(1, 2);
      if (how === 'passed') runner.skip(eventAt(9), at(8));
      else expect(runner.enqueue(eventAt(9), 1_000, at(8))).toBeUndefined();
      offer(3, 4); // Too late: a new run begins at the checkpoint.
      expect(await ended).toEqual({ end: 'gap', reason: 'it is at 2/2, and the event follows 8/8' });
      expect(batches).toEqual([]);
      expect(runner.lastReceived).toEqual(at(2));
    },
  );

  it('is told from one that follows over positions that are not dense, and from one it has had', async () => {
    const { progress, reached, runner, ended } = begin();
    void runner.enqueue(eventAt(10), 1_000, BEFORE_ALL);
    runner.skip(eventAt(700), at(10));
    runner.skip(eventAt(10), at(4)); // From a reading that began for a slower runner.
    void runner.enqueue(eventAt(7_000), 1_000, at(700));
    expect(await progress.waitFor(at(7_000), 60_000)).toBe(true);
    expect(reached.at(-1)).toEqual(at(7_000));
    runner.stop();
    expect(await ended).toEqual({ end: 'left' });
  });
});
