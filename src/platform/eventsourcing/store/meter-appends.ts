import type { Meter } from '../../telemetry/meter.js';
import { RevisionConflict, type EventStore } from './event-store.js';

/** Reports every append of the store to the meter. */
export function meterAppends(store: EventStore, meter: Meter): EventStore {
  const append = store.append.bind(store);
  store.append = async (...args) => {
    const began = performance.now();
    let outcome = 'stored';
    try {
      return await append(...args);
    } catch (error) {
      outcome =
        error instanceof RevisionConflict ? 'conflict' : error instanceof Error ? error.name : 'failed';
      throw error;
    } finally {
      meter.appended(outcome, (performance.now() - began) / 1000);
    }
  };
  return store;
}
