import { BEFORE_ALL, comparePositions, formatPosition } from '../../src/kernel/event.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import type { Checkpoint } from './checkpoint.js';

/**
 * A checkpoint means something only in the store it was taken from. The reason why this projection must not go on from
 * it, as a sentence that names the way out; undefined when it may.
 */
export async function reasonNotToResume(
  projection: string,
  { position, store: knownStore }: Checkpoint,
  store: EventStore,
): Promise<string | undefined> {
  if (comparePositions(position, BEFORE_ALL) <= 0) return undefined;
  const wayOut = `Run \`projections rebuild ${projection}\` to build it from this store.`;
  const [identity, head] = await Promise.all([store.identity(), store.head()]);
  if (knownStore !== identity) {
    return `its checkpoint was taken from the event store ${knownStore}, and this one is ${identity ?? 'empty'}. ${wayOut}`;
  }
  if (!head || comparePositions(position, head) > 0) {
    const places = `${formatPosition(position)}, the head is ${head ? formatPosition(head) : 'nowhere'}`;
    return `its checkpoint lies beyond the head of the event store (${places}). ${wayOut}`;
  }
  return undefined;
}
