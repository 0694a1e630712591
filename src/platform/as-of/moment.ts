import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { EventStore } from '../eventsourcing/store/event-store.js';

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
