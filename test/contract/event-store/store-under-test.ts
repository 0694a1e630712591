import type { EventStore } from '../../../src/platform/eventsourcing/store/event-store.js';

export interface StoreUnderTest {
  readonly store: EventStore;
  /** Another connection to the same log, as another process would have it. */
  readonly connect: () => Promise<EventStore>;
  /** False where other events stand in the log already, so that its emptiness cannot be tested. */
  readonly fresh: boolean;
  readonly cleanup: () => Promise<void>;
}

/** The store of the running test; the rules ask for it inside their `it`. */
export type Current = () => StoreUnderTest;
