import { describe, expect, it } from '@jest/globals';
import { readState } from '../../../src/platform/eventsourcing/command-runner/stream-state-cache.js';
import { foldStream } from '../../../src/platform/eventsourcing/store/event-store.js';
import { frozenView } from '../../../src/platform/eventsourcing/store/frozen-view.js';
import { newEvents, newStream } from '../../support/events.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';

type Counted = { readonly type: string; readonly data: { readonly n: number } };

/** Returns rules whose state lists the folded events; a snapshot replaces those before it. */
const rules = (folded: number[] = []) => ({
  initial: (): readonly string[] => [],
  evolve: (state: readonly string[], { type, data }: Counted) => {
    folded.push(data.n);
    return type === 'Snapshot' ? [`snapshot ${data.n}`] : [...state, `event ${data.n}`];
  },
  snapshotEventType: 'Snapshot',
});

async function aStream(length: number, snapshots: readonly number[]) {
  const store = new InMemoryEventStore();
  const stream = newStream();
  const events = newEvents(length).map((event, n) =>
    snapshots.includes(n) ? { ...event, type: 'Snapshot' } : event,
  );
  await store.append(stream, 'no_stream', events);
  return { store, stream };
}

describe('past states of a stream in a frozen view', () => {
  it.each([[[]], [[0]], [[3]], [[2, 3, 6]]])(
    'are as the log has them, in any order: snapshots %j',
    async (snapshots) => {
      const { store, stream } = await aStream(8, snapshots);
      const log = frozenView(store);
      const continued = rules();
      for (const upTo of [-1, 1, 2, 2, 3, 7, 99, 4, 0, 5, 6, -1, 7]) {
        const found = await readState(log, stream, continued, BigInt(upTo));
        expect(found).toEqual(await foldStream(store, stream, rules(), BigInt(upTo)));
      }
      expect(await readState(log, newStream(), continued, 3n)).toEqual({ state: [], revision: undefined });
    },
  );

  it('continue the last fold, and fold no event twice', async () => {
    const { store, stream } = await aStream(8, [5]);
    const log = frozenView(store);
    const folded: number[] = [];
    const continued = rules(folded);
    for (const upTo of [1n, 1n, 3n, 6n, 7n]) await readState(log, stream, continued, upTo);
    expect(folded).toEqual([0, 1, 2, 3, 5, 6, 7]);
  });

  it('are folded by each rules of their own', async () => {
    const { store, stream } = await aStream(4, [1]);
    const log = frozenView(store);
    const { snapshotEventType: _, ...fullHistory } = rules();
    const count = { initial: () => 0, evolve: (sum: number) => sum + 1 };
    expect((await readState(log, stream, count, 2n)).state).toBe(3);
    expect((await readState(log, stream, fullHistory, 3n)).state).toEqual([
      'snapshot 1',
      'event 2',
      'event 3',
    ]);
    expect((await readState(log, stream, count, 3n)).state).toBe(4);
  });
});
