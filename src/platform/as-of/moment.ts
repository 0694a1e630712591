import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { type EventStore, type ReadStreamOptions, streamsOf } from '../eventsourcing/store/event-store.js';
import type { Position, RecordedEvent } from '../../kernel/event.js';

/** A moment of recorded time that a request reads an organization at, with the stores as they were then. */
export interface PastMoment {
  readonly org: Uuid;
  readonly at: Instant;
  readonly store: EventStore;
  /** Knows the read models as they were. */
  readonly pool: pg.Pool;
  readonly db: Kysely<Record<never, never>>;
  /** True once the request has its answer: what still runs in its name reads the present. */
  isOver: boolean;
}

const moments = new AsyncLocalStorage<PastMoment>();

/** The moment that the current request reads at; undefined for the present. */
export function pastMoment(): PastMoment | undefined {
  const moment = moments.getStore();
  return moment?.isOver ? undefined : moment;
}

/** Runs work whose reads of log, read models and clock all happen at a moment. */
export async function atMoment<Result>(moment: PastMoment, work: () => Promise<Result>): Promise<Result> {
  try {
    return await moments.run(moment, work);
  } finally {
    moment.isOver = true;
  }
}

/** The stores that those made by `withMoments` read. */
const presentOf = new WeakMap<EventStore, EventStore>();

/**
 * Returns the store with its streams as they were at the moment of the request that reads, if it has one.
 * @param then the store of a moment
 */
export function withMoments(
  store: EventStore,
  then: (moment: PastMoment) => EventStore = (moment) => moment.store,
): EventStore {
  const inUse = (): EventStore => {
    const moment = pastMoment();
    return moment ? then(moment) : store;
  };
  const read: EventStore = {
    append: (...args) => inUse().append(...args),
    readStream: (...args) => inUse().readStream(...args),
    readAll: (...args) => inUse().readAll(...args),
    subscribeAll: (...args) => store.subscribeAll(...args),
    streamsOf: (category) => streamsOf(store, category),
    head: () => store.head(),
    identity: () => store.identity(),
    close: () => store.close(),
  };
  presentOf.set(read, store);
  return read;
}

/** The store that a read of this one reaches: what is remembered of a store is remembered of each moment apart. */
export const storeInUse = (store: EventStore): EventStore =>
  presentOf.has(store) ? (pastMoment()?.store ?? store) : store;

/**
 * Returns the store as it was at a moment of recorded time. Within a stream that time never goes back, so each stream is
 * cut once. Nothing can be appended.
 */
export function storeAsOf(momentary: EventStore, at: Instant): EventStore {
  const store = presentOf.get(momentary) ?? momentary;
  const wasThere = ({ metadata }: RecordedEvent): boolean => metadata.recordedAt <= at;
  return {
    async *readStream(stream: string, { limit = Infinity, ...options }: ReadStreamOptions = {}) {
      const isForwards = options.direction !== 'backwards';
      let left = limit;
      for await (const event of store.readStream(
        stream,
        isForwards && limit !== Infinity ? { ...options, limit } : options,
      )) {
        if (left <= 0) return;
        if (wasThere(event)) {
          yield event;
          left -= 1;
        } else if (isForwards) return;
      }
    },
    async *readAll(after?: Position, limit = Infinity) {
      let left = limit;
      for await (const event of store.readAll(after)) {
        if (left <= 0) return;
        if (!wasThere(event)) continue;
        yield event;
        left -= 1;
      }
    },
    append: () => Promise.reject(new Error('nothing can be appended at a moment of the past')),
    subscribeAll: (...args) => store.subscribeAll(...args),
    streamsOf: (category) => streamsOf(store, category),
    head: () => store.head(),
    identity: () => store.identity(),
    close: () => Promise.resolve(),
  };
}
