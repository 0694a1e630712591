import { describe, expect, it, jest } from '@jest/globals';
import { streamName } from '../../../src/kernel/event.js';
import { appendWithRetry } from '../../../src/platform/eventsourcing/command-runner/append-events.js';
import { LeaseEnded } from '../../../src/platform/eventsourcing/command-runner/append-events.js';
import {
  AppendOutcomeUnknown,
  StoreUnavailable,
} from '../../../src/platform/eventsourcing/store/event-store.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { ORG } from '../../support/counter.js';
import { newEvents } from '../../support/events.js';

const STREAM = streamName('metric', ORG, 'one');

/** Stores the first append without an answer, and is down for some further ones. */
class RestartingStore extends InMemoryEventStore {
  constructor(private downFor: number) {
    super();
  }

  override async append(...append: Parameters<InMemoryEventStore['append']>) {
    const isFirst = (await this.head()) === undefined;
    if (!isFirst && this.downFor > 0) {
      this.downFor -= 1;
      throw new StoreUnavailable('the server restarts');
    }
    const result = await super.append(...append);
    if (isFirst) throw new AppendOutcomeUnknown('the line broke after the append');
    return result;
  }
}

const append = (
  store: RestartingStore,
  context: { readonly appendUntil?: number } = {},
  pause = async (): Promise<unknown> => undefined,
) => appendWithRetry(store, { stream: STREAM, expected: 'no_stream', events: newEvents(2), context }, pause);

describe('an append whose answer was lost', () => {
  it('is sent again while the store is down, and is there once', async () => {
    const store = new RestartingStore(2);
    expect(await append(store)).toMatchObject({ revision: 1n });
    expect(await store.head()).toMatchObject({ commit: 2n });
  });

  it('stays unknown where the store does not come back', async () => {
    const store = new RestartingStore(Infinity);
    await expect(append(store)).rejects.toBeInstanceOf(AppendOutcomeUnknown);
    expect(await store.head()).toMatchObject({ commit: 2n });
  });
});

describe('an append that relies on a reservation', () => {
  it('is not sent when the reservation may have been taken over, and nothing is stored', async () => {
    const store = new RestartingStore(0);
    const appendUntil = performance.now() - 1;
    await expect(append(store, { appendUntil })).rejects.toBeInstanceOf(LeaseEnded);
    expect(await store.head()).toBeUndefined();
  });

  it('is not sent again after that, and its outcome stays unknown', async () => {
    const store = new RestartingStore(0);
    const begun = performance.now();
    const standStill = async () => jest.spyOn(performance, 'now').mockReturnValue(begun + 60_001);
    const appended = append(store, { appendUntil: begun + 60_000 }, standStill);
    await expect(appended).rejects.toBeInstanceOf(AppendOutcomeUnknown);
    jest.restoreAllMocks();
  });
});

describe('an append that a store which is down never got', () => {
  it('is not sent again, and nothing is stored', async () => {
    const store = new InMemoryEventStore();
    await store.close();
    let pauses = 0;
    const pause = async () => void (pauses += 1);
    const refused = {
      stream: STREAM,
      expected: 'no_stream',
      events: newEvents(1),
      context: {},
    } as const;
    await expect(appendWithRetry(store, refused, pause)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(pauses).toBe(0);
  });
});
