import type { EventStore } from '../../../src/platform/eventsourcing/store/event-store.js';

export interface StoreUnderTest {
  readonly store: EventStore;
  /** Opens another connection to the same log, as another process would. */
  readonly connect: () => Promise<EventStore>;
  /** False when the log contains other events, so that an empty log cannot be tested. */
  readonly fresh: boolean;
  readonly cleanup: () => Promise<void>;
}

/** Returns the store of the running test. The rules call it inside their `it`. */
export type Current = () => StoreUnderTest;
