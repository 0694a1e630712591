import { describe, expect, it } from '@jest/globals';
import { comparePositions, type Position, type RecordedEvent } from '../../../src/kernel/event.js';
import {
  CAUGHT_UP,
  type EventStore,
  RevisionConflict,
} from '../../../src/platform/eventsourcing/store/event-store.js';
import { newEvents, newStream } from '../../support/events.js';
import { revisionAndPosition } from './append-rules.js';
import type { Current } from './store-under-test.js';
import { collect, idsOf } from './reading.js';

/**
 * Runs `count` concurrent writers over the connections, each appending one or two events at a time to its own stream.
 */
async function writeAtOnce(
  connections: readonly EventStore[],
  count: number,
  appends: number,
): Promise<void> {
  const writers = Array.from({ length: count }, async (_, writer) => {
    const store = connections[writer % connections.length]!;
    const stream = newStream();
    let last: bigint | 'no_stream' = 'no_stream';
    for (let i = 0; i < appends; i++) {
      last = (await store.append(stream, last, newEvents(1 + (i % 2)))).revision;
    }
  });
  await Promise.all(writers);
}

const isAscending = (events: readonly RecordedEvent[]): boolean =>
  events.every((event, i) => i === 0 || comparePositions(events[i - 1]!.position, event.position) < 0);

export function concurrencyRules(current: Current): void {
  describe('concurrency', () => {
    it('lets exactly one of several concurrent appends at one revision succeed', async () => {
      const { store, connect } = current();
      const other = await connect();
      const stream = newStream();
      for (let round = 0; round < 30; round++) {
        const expected = round === 0 ? 'no_stream' : BigInt(round - 1);
        const results = await Promise.allSettled([
          store.append(stream, expected, newEvents(1)),
          other.append(stream, expected, newEvents(1)),
          store.append(stream, expected, newEvents(1)),
        ]);
        expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
        for (const result of results) {
          if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(RevisionConflict);
        }
      }
      expect((await collect(store.readStream(stream))).map((event) => event.revision)).toHaveLength(30);
    });

    it('stores concurrent repeats of an append once, with equal answers', async () => {
      const { store, connect } = current();
      const other = await connect();
      const stream = newStream();
      const events = newEvents(2);
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) => (i % 2 ? store : other).append(stream, 'no_stream', events)),
      );
      for (const answer of answers)
        expect(revisionAndPosition(answer)).toEqual(revisionAndPosition(answers[0]!));
      expect(idsOf(await collect(store.readStream(stream)))).toEqual(idsOf(events));
    });

    it('loses no event for a reader that polls from its last position while others append', async () => {
      const { store, connect } = current();
      const other = await connect();
      const before = await store.head();
      let writing = true;
      const seen: RecordedEvent[] = [];
      const poll = async (): Promise<void> => {
        let last: Position | undefined = before;
        for (;;) {
          const wasWriting = writing;
          const page = await collect(store.readAll(last, 7));
          seen.push(...page);
          last = page.at(-1)?.position ?? last;
          if (page.length === 0 && !wasWriting) return;
        }
      };
      const polling = poll();
      await writeAtOnce([store, other], 16, 25);
      writing = false;
      await polling;
      const all = await collect(store.readAll(before));
      expect(all).toHaveLength(16 * 37);
      expect(isAscending(all)).toBe(true);
      expect(idsOf(seen)).toEqual(idsOf(all));
    });

    it('switches a subscription from catching up to live without loss or repetition', async () => {
      const { store, connect } = current();
      const other = await connect();
      const before = await store.head();
      await writeAtOnce([store, other], 4, 25);
      const total = (4 + 12) * 37;
      const stop = new AbortController();
      const follow = async (): Promise<RecordedEvent[]> => {
        const events: RecordedEvent[] = [];
        for await (const item of store.subscribeAll(before, stop.signal)) {
          if (item !== CAUGHT_UP && events.push(item) === total) break;
        }
        return events;
      };
      const following = [follow(), follow()];
      await writeAtOnce([store, other], 12, 25);
      const all = await collect(store.readAll(before));
      expect(all).toHaveLength(total);
      for (const events of await Promise.all(following)) expect(idsOf(events)).toEqual(idsOf(all));
      stop.abort();
    });
  });
}
