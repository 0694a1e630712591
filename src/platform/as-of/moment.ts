import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { type EventStore, type ReadStreamOptions, streamsOf } from '../eventsourcing/store/event-store.js';
import type { Position, RecordedEvent } from '../../kernel/event.js';

/** Moment of recorded time at which a request reads an organization, with the log and the read models of that moment. */
export interface PastMoment {
  readonly org: Uuid;
  readonly at: Instant;
  readonly store: EventStore;
  /** Reads the read models of that moment. */
  readonly pool: pg.Pool;
  readonly db: Kysely<Record<never, never>>;
  /** True once the request has its answer; work that it left running reads the present. */
  isOver: boolean;
}

const moments = new AsyncLocalStorage<PastMoment>();

/** Returns the moment at which the current request reads; undefined for the present. */
export function pastMoment(): PastMoment | undefined {
  const moment = moments.getStore();
  return moment?.isOver ? undefined : moment;
}

/** Runs work whose reads of log, read models and clock see a moment. */
export async function atMoment<Result>(moment: PastMoment, work: () => Promise<Result>): Promise<Result> {
  try {
    return await moments.run(moment, work);
  } finally {
    moment.isOver = true;
  }
}

/** Present store of each store that `withMoments` returned. */
const presentOf = new WeakMap<EventStore, EventStore>();

/**
 * Returns a store that reads the past for a request as of a moment, and the present for other requests.
 * @param pastStoreOf returns the store of a moment
 */
export function withMoments(
  store: EventStore,
  pastStoreOf: (moment: PastMoment) => EventStore = (moment) => moment.store,
): EventStore {
  const inUse = (): EventStore => {
    const moment = pastMoment();
    return moment ? pastStoreOf(moment) : store;
  };
  const read: EventStore = {
    append: (...args) => inUse().append(...args),
    readStream: (...args) => inUse().readStream(...args),
    knownEvents: (...args) => inUse().knownEvents?.(...args),
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

/** Returns the store that a read reaches now: caches by store keep each moment apart. */
export const storeInUse = (store: EventStore): EventStore =>
  presentOf.has(store) ? (pastMoment()?.store ?? store) : store;

/**
 * Returns a read-only store of the events recorded up to a moment. Within a stream recorded time never decreases, so a
 * forward read ends at the first later event.
 */
export function storeAsOf(momentary: EventStore, at: Instant): EventStore {
  const store = presentOf.get(momentary) ?? momentary;
  const wasThere = ({ metadata }: RecordedEvent): boolean => metadata.recordedAt <= at;
  return {
    // A backwards read continues past its end type: the newest event of that type may be later than the moment.
    async *readStream(stream: string, { limit = Infinity, until: _, ...options }: ReadStreamOptions = {}) {
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
    append: () => Promise.reject(new Error('A store as of a past moment takes no appends.')),
    subscribeAll: (...args) => store.subscribeAll(...args),
    streamsOf: (category) => streamsOf(store, category),
    head: () => store.head(),
    identity: () => store.identity(),
    close: () => Promise.resolve(),
  };
}
