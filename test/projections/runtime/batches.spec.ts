import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BatchWriter } from '../../../projections/runtime/batch-writer.js';
import { CheckpointTaken, loadCheckpoint } from '../../../projections/runtime/checkpoint.js';
import { createReadModels } from '../../../projections/runtime/read-model-tables.js';
import { change } from '../../../projections/runtime/projection.js';
import { UnknownEventType } from '../../../projections/runtime/touched-rows.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { freshFold, storedRows } from './fresh-fold.js';
import { allEvents, append, HISTORY, WALLETS, walletsProjection, type Move } from './wallets.js';
import { BEFORE_ALL } from '../../../src/kernel/event.js';

const moves = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('Opened' as const), labels: fc.array(fc.string({ unit: 'grapheme' })) }),
    fc.record({
      type: fc.constant('Moved' as const),
      amount: fc.integer(),
      by: fc.option(fc.constantFrom('ann', 'bo')),
    }),
    fc.record({ type: fc.constantFrom('Frozen' as const, 'Closed' as const, 'Seen' as const) }),
  ),
  { minLength: 1, maxLength: 40 },
);
const whose = fc.infiniteStream(fc.constantFrom(...WALLETS));

describe('a batch', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('leaves the rows a fresh fold has, whatever the history and wherever batches end', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        moves,
        whose,
        fc.infiniteStream(fc.integer({ min: 1, max: 12 })),
        async (what, who, sizes) => {
          const projection = walletsProjection(`property_${(run += 1)}`);
          await createReadModels(database.pool, [projection]);
          const store = new InMemoryEventStore();
          await append(store, ...what.map((move) => ({ ...move, wallet: who.next().value }) as Move));

          const writer = new BatchWriter(database.pool, projection);
          const events = await allEvents(store);
          let { position } = await loadCheckpoint(database.pool, projection);
          while (events.length > 0) {
            const batch = events.splice(0, sizes.next().value);
            await writer.apply(position, batch, undefined);
            position = batch.at(-1)!.position;
          }
          expect(await storedRows(projection, database.pool)).toEqual(await freshFold(projection, store));
          expect((await loadCheckpoint(database.pool, projection)).position).toEqual(position);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('that rewrites what another of its rows is loaded without leaves that as it is', async () => {
    const projection = walletsProjection('unread');
    await createReadModels(database.pool, [projection]);
    const store = new InMemoryEventStore();
    const [one, other] = WALLETS as [string, string];
    const open = (wallet: string, label: string): Move => ({ type: 'Opened', wallet, labels: [label] });
    await append(store, open(one, 'first'), open(other, 'second'));
    await append(store, { type: 'Moved', wallet: one, amount: 1, by: null }, open(other, 'third'));
    const events = await allEvents(store);
    const writer = new BatchWriter(database.pool, projection);
    await writer.apply(BEFORE_ALL, events.slice(0, 2), undefined);
    await writer.apply(events[1]!.position, events.slice(2), undefined);
    expect(await storedRows(projection, database.pool)).toEqual(await freshFold(projection, store));
  });

  describe('over the sample history', () => {
    const projection = walletsProjection('sample');
    const writer = (): BatchWriter => new BatchWriter(database.pool, projection);
    let events: RecordedEvent[];
    let expected: unknown;
    beforeAll(async () => {
      const store = new InMemoryEventStore();
      await append(store, ...HISTORY);
      events = await allEvents(store);
      expected = await freshFold(projection, store);
      await createReadModels(database.pool, [projection]);
      const { position } = await loadCheckpoint(database.pool, projection);
      await writer().apply(position, events, events[0]!.id);
    });

    it('that was applied before is refused by the checkpoint and changes no row', async () => {
      await expect(writer().apply(BEFORE_ALL, events, events[0]!.id)).rejects.toThrow(CheckpointTaken);
      expect(await storedRows(projection, database.pool)).toEqual(expected);
    });

    it('remembers the store it was taken from', async () => {
      const { store } = await loadCheckpoint(database.pool, projection);
      expect(store).toBe(events[0]!.id);
    });

    it('with an event that fails changes nothing, neither rows nor checkpoint', async () => {
      const before = await loadCheckpoint(database.pool, projection);
      const next = events.map((event) => ({ ...event, position: { commit: 100n, prepare: 100n } }));
      const key = { org: events[0]!.metadata.org, label: 'ann' };
      const failing = change<typeof key>('totals_sample', key, () => {
        throw new Error('out of paint');
      });
      const broken = { ...projection, on: { ...projection.on, Frozen: () => [failing] } };
      const apply = new BatchWriter(database.pool, broken).apply(before.position, next, undefined);
      await expect(apply).rejects.toMatchObject({ name: 'EventFailed', event: { type: 'Frozen' } });
      expect(await storedRows(projection, database.pool)).toEqual(expected);
      expect(await loadCheckpoint(database.pool, projection)).toEqual(before);
    });

    it.each([
      ['an unknown type of a category it reads', 'account-1.2', 'Evaporated', UnknownEventType],
      ['a type that only looks known', 'account-1.2', 'toString', UnknownEventType],
    ])('refuses %s', async (_, stream, type, error) => {
      const { position } = await loadCheckpoint(database.pool, projection);
      const strange = { ...events[0]!, stream, type, position: { commit: 200n, prepare: 200n } };
      await expect(writer().apply(position, [strange], undefined)).rejects.toThrow(error);
    });

    it('refuses a change that moves its row to another key', async () => {
      const { position } = await loadCheckpoint(database.pool, projection);
      const [opened] = events;
      const key = { org: opened!.metadata.org, label: 'ann' };
      const move = change<typeof key>('totals_sample', key, () => ({ ...key, label: 'bo' }));
      const moving = new BatchWriter(database.pool, { ...projection, on: { Opened: () => [move] } });
      await expect(moving.apply(position, [opened!], undefined)).rejects.toThrow(/may not move "label"/);
    });

    it('passes events of other categories, and says so in the checkpoint alone', async () => {
      const { position } = await loadCheckpoint(database.pool, projection);
      const other = {
        ...events[0]!,
        stream: 'plan-1.2',
        type: 'Anything',
        position: { commit: 300n, prepare: 300n },
      };
      await writer().apply(position, [other], events[0]!.id);
      expect((await loadCheckpoint(database.pool, projection)).position).toEqual(other.position);
      expect(await storedRows(projection, database.pool)).toEqual(expected);
    });
  });
});
