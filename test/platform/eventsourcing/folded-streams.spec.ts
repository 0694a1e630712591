import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DomainEvent } from '../../../src/kernel/event.js';
import { mayBeRepeat } from '../../../src/platform/eventsourcing/command-runner/append-events.js';
import { CommandRunner } from '../../../src/platform/eventsourcing/command-runner/command-runner.js';
import { Policies } from '../../../src/platform/eventsourcing/policies/policies.js';
import { StreamStateCache } from '../../../src/platform/eventsourcing/command-runner/stream-state-cache.js';
import {
  type NewEvent,
  RevisionConflict,
  type ReadStreamOptions,
} from '../../../src/platform/eventsourcing/store/event-store.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { createLogger } from '../../../src/platform/telemetry/logger.js';
import { counter, newContext, SetClock } from '../../support/counter.js';
import { newEvent, newEvents, newStream } from '../../support/events.js';

/** Store that records the revision from which each stream was read. */
class WatchedStore extends InMemoryEventStore {
  readonly reads: (bigint | undefined)[] = [];

  override readStream(stream: string, options?: ReadStreamOptions) {
    this.reads.push(options?.from);
    return super.readStream(stream, options);
  }
}

/** Store whose streams have this many small events, each of a command of its own. */
class LongStreams extends WatchedStore {
  constructor(private readonly length: bigint) {
    super();
  }

  override async *readStream(stream: string, { from = 0n }: ReadStreamOptions = {}) {
    this.reads.push(from);
    const { metadata, ...event } = newEvent();
    for (let revision = from; revision < this.length; revision += 1n) {
      const position = { commit: revision, prepare: revision };
      yield { ...event, stream, revision, position, metadata: { ...metadata, commandId: randomUUID() } };
    }
  }
}

const counting = { initial: () => 0, evolve: (count: number, _event: DomainEvent) => count + 1 };

describe('folded streams', () => {
  it('read only what was appended since, by whomever', async () => {
    const store = new WatchedStore();
    const folded = new StreamStateCache(store);
    const stream = newStream();
    await store.append(stream, 'no_stream', newEvents(3));
    expect((await folded.load(stream, counting)).state).toBe(3);
    await store.append(stream, 2n, newEvents(2));
    const again = await folded.load(stream, counting);
    expect([again.state, again.last?.revision]).toEqual([5, 4n]);
    expect(store.reads).toEqual([undefined, 3n]);
  });

  it('are read once for all who ask at the same time, and once more for who asks meanwhile', async () => {
    const store = new WatchedStore();
    const folded = StreamStateCache.of(store);
    expect(StreamStateCache.of(store)).toBe(folded);
    const stream = newStream();
    await store.append(stream, 'no_stream', newEvents(3));
    const all = await Promise.all([1, 2, 3, 4].map(() => folded.load(stream, counting)));
    expect(all.map(({ state }) => state)).toEqual([3, 3, 3, 3]);
    expect(store.reads).toEqual([undefined, 3n]);
  });

  it('have what a command appended, where the store says that it was new', async () => {
    const store = new WatchedStore();
    const runner = new CommandRunner(store, new SetClock(), new Policies(), createLogger('silent'));
    const count = (by: number) => runner.run(counter, 'one', { by }, newContext());
    await count(1);
    expect(await count(2)).toMatchObject({ state: 3, revision: 1n });
    expect(store.reads).toEqual([undefined, 1n]);
  });

  it('know every command whose events are in the stream, also those folded before', async () => {
    const store = new InMemoryEventStore();
    const folded = new StreamStateCache(store);
    const stream = newStream();
    const [first, second] = [randomUUID(), randomUUID()].map((commandId) =>
      newEvents(1).map((event) => ({ ...event, metadata: { ...event.metadata, commandId } })),
    ) as [NewEvent[], NewEvent[]];
    await store.append(stream, 'no_stream', first);
    await folded.load(stream, counting);
    await store.append(stream, 0n, second);
    const { commandIds } = await folded.load(stream, counting);
    for (const { metadata } of [...first, ...second]) expect(commandIds.has(metadata.commandId)).toBe(true);
  });

  it('forget what was used least recently when its events are large, and never the newest', async () => {
    const store = new WatchedStore();
    const folded = new StreamStateCache(store);
    const [first, second, huge] = [newStream(), newStream(), newStream()];
    const sizes = new Map([
      [first, 13_000_000],
      [second, 13_000_000],
      [huge, 26_000_000],
    ]);
    // An append may be half a megabyte in size.
    const large = { type: 'Large', data: { text: 'x'.repeat(500_000) } };
    for (const [stream, size] of sizes) {
      for (let written = 0n; written < size / 500_000; written += 1n) {
        const expected = written === 0n ? 'no_stream' : written - 1n;
        await store.append(stream, expected, [{ ...newEvent(), ...large }]);
      }
    }
    for (const stream of [first, second, second, first, huge, huge]) await folded.load(stream, counting);
    expect(store.reads).toEqual([undefined, undefined, 26n, undefined, undefined, 52n]);
  });

  it('forget what was used least recently when many commands have changed it', async () => {
    const store = new LongStreams(200_000n);
    const folded = new StreamStateCache(store);
    const [first, second] = [newStream(), newStream()];
    for (const stream of [first, first, second, first]) await folded.load(stream, counting);
    expect(store.reads).toEqual([0n, 200_000n, 0n, 0n]);
  });

  it('with snapshots are read again from the last one when they have very many command ids', async () => {
    const store = new InMemoryEventStore();
    const folded = new StreamStateCache(store);
    const stream = newStream();
    const rules = {
      ...counting,
      evolve: (count: number, event: DomainEvent) =>
        event.type === 'Snapshot' ? (event.data as { count: number }).count : count + 1,
      snapshotEventType: 'Snapshot',
    };
    const ofCommands = (count: number) =>
      newEvents(count).map(({ metadata, ...event }) => ({
        ...event,
        metadata: { ...metadata, commandId: randomUUID() },
      }));
    const [first] = ofCommands(1);
    await store.append(stream, 'no_stream', [first!]);
    for (let count = 1; count < 12_000; count += 1_000) {
      await store.append(stream, BigInt(count - 1), ofCommands(Math.min(1_000, 12_000 - count)));
      await folded.load(stream, rules);
    }
    await store.append(stream, 11_999n, [{ ...newEvent({ count: 12_000 }), type: 'Snapshot' }]);
    await folded.load(stream, rules);

    const { state, last, ...known } = await folded.load(stream, rules);
    expect([state, last?.revision, known.commandIds.size]).toEqual([12_000, 12_000n, 1]);
    const { commandId, recordedAt } = first!.metadata;
    expect(mayBeRepeat(known, { ...newContext(), commandId, receivedAt: recordedAt })).toBe(true);
    expect(mayBeRepeat(known, { ...newContext(), isFirstDelivery: true })).toBe(false);
  });

  it('forget the least recently used, and fold it again when it is asked for', async () => {
    const store = new WatchedStore();
    const folded = new StreamStateCache(store);
    const streams = Array.from({ length: 6_001 }, newStream);
    for (const stream of streams) {
      await store.append(stream, 'no_stream', newEvents(1));
      await folded.load(stream, counting);
    }
    store.reads.length = 0;
    expect((await folded.load(streams[0]!, counting)).state).toBe(1);
    expect((await folded.load(streams[6_000]!, counting)).state).toBe(1);
    expect(store.reads).toEqual([undefined, 1n]);
  });

  it('are what a fold from the first event is, whoever appends and however guesses turn out', async () => {
    const collecting = {
      initial: (): readonly string[] => [],
      evolve: (ids: readonly string[], { data }: DomainEvent) => [...ids, (data as { id: string }).id],
    };
    const streams = [newStream(), newStream(), newStream()];
    let count = 0;
    const step = fc.record({
      stream: fc.constantFrom(...streams),
      cache: fc.constantFrom(0, 1),
      what: fc.constantFrom('load', 'append', 'guess and append'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const store = new InMemoryEventStore();
        const caches = [new StreamStateCache(store), new StreamStateCache(store)];
        const fresh = (stream: string) => new StreamStateCache(store).load(stream, collecting);
        for (const { stream, cache, what } of steps) {
          const folded = caches[cache]!;
          const event = newEvent({ id: `event-${(count += 1)}` });
          if (what === 'append') {
            await store.append(stream, (await fresh(stream)).last?.revision ?? 'no_stream', [event]);
          } else if (what === 'guess and append') {
            const guess = folded.remembered(stream, collecting);
            const isRight = guess.last?.revision === (await fresh(stream)).last?.revision;
            const appended = store.append(stream, guess.last?.revision ?? 'no_stream', [event]);
            if (!isRight) {
              await expect(appended).rejects.toThrow(RevisionConflict);
              continue;
            }
            const recorded = { ...event, stream, ...(await appended) };
            folded.remember(stream, guess, {
              state: collecting.evolve(guess.state, event),
              events: [recorded],
            });
          }
          const [known, expected] = [await folded.load(stream, collecting), await fresh(stream)];
          expect([known.state, known.last?.revision]).toEqual([expected.state, expected.last?.revision]);
          expect([...known.commandIds]).toEqual([...expected.commandIds]);
        }
      }),
      { numRuns: 200 },
    );
  });
});
