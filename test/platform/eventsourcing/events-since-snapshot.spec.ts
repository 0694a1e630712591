import { describe, expect, it } from '@jest/globals';
import { derivedId, namedId } from '../../../src/kernel/ids.js';
import { instant } from '../../../src/kernel/instant.js';
import {
  type ReadStreamOptions,
  eventsSinceSnapshot,
} from '../../../src/platform/eventsourcing/store/event-store.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';

const STREAM = 'account-org.c';
const metadata = {
  org: namedId('org'),
  commandId: namedId('command'),
  correlationId: 'c',
  actor: 'system',
  recordedAt: instant('2026-01-01'),
  schemaVersion: 1,
};

/** Store that counts the events that are read. */
class Watched extends InMemoryEventStore {
  read = 0;
  override async *readStream(stream: string, options?: ReadStreamOptions) {
    for await (const event of super.readStream(stream, options)) {
      this.read += 1;
      yield event;
    }
  }
}

/** Returns a store with a stream of `length` events; those at `snapshotsAt` are snapshot events. */
async function aStream(length: number, snapshotsAt: readonly number[]): Promise<Watched> {
  const store = new Watched();
  for (let n = 0; n < length; n += 1) {
    const type = snapshotsAt.includes(n) ? 'Carried' : 'Happened';
    const event = { id: derivedId(metadata.org, `${n}`), type, data: { n }, metadata };
    await store.append(STREAM, n === 0 ? 'no_stream' : BigInt(n - 1), [event]);
  }
  return store;
}
const revisionsOf = async (store: Watched, upTo?: bigint) =>
  (await eventsSinceSnapshot(store, STREAM, 'Carried', upTo)).map(({ revision }) => Number(revision));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe('the events that a state is folded from', () => {
  it('are all, in order, while there is no snapshot', async () => {
    for (const length of [0, 1, 99, 100, 101, 250])
      expect(await revisionsOf(await aStream(length, []))).toEqual(range(0, length - 1));
  });

  it('begin with the last snapshot', async () => {
    expect(await revisionsOf(await aStream(250, [10, 120, 200]))).toEqual(range(200, 249));
    expect(await revisionsOf(await aStream(250, [3]))).toEqual(range(3, 249));
    expect(await revisionsOf(await aStream(250, [249]))).toEqual([249]);
  });

  it('up to a revision are those that stood there then', async () => {
    const store = await aStream(250, [10, 120, 200]);
    expect(await revisionsOf(store, 199n)).toEqual(range(120, 199));
    expect(await revisionsOf(store, 120n)).toEqual([120]);
    expect(await revisionsOf(store, 9n)).toEqual(range(0, 9));
    expect(await revisionsOf(store, -1n)).toEqual([]);
  });

  it('are as many however long the stream is', async () => {
    const [short, long] = [await aStream(150, [130]), await aStream(1500, [500, 1000, 1480])];
    await Promise.all([revisionsOf(short), revisionsOf(long)]);
    expect(long.read).toBe(short.read);
  });
});
