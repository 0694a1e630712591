import { comparePositions, formatPosition, type Position } from '../../kernel/event.js';
import type { ReadModels } from '../../platform/eventsourcing/read-models.js';
import type { EventStore } from '../../platform/eventsourcing/store/event-store.js';

/** As long as a read model may lag: what lacks more is not coming. */
const PATIENCE_MS = 5_000;

/**
 * The read models that lack something of the log as it is now, a sentence each: what they say of the books is not all,
 * as in a restored database before its first start.
 */
export async function behindTheLog(
  store: Pick<EventStore, 'head'>,
  readModels: Pick<ReadModels, 'status' | 'waitFor'>,
): Promise<string[]> {
  const head = await store.head();
  if (!head || (await readModels.waitFor(head, PATIENCE_MS))) return [];
  const isBehind = (position: Position | undefined) => !position || comparePositions(position, head) < 0;
  return (await readModels.status())
    .filter(({ position }) => isBehind(position))
    .map(({ projection, position }) => {
      const place = position ? `at ${formatPosition(position)}` : 'at its beginning';
      return `the read model ${projection} is ${place}, the log at ${formatPosition(head)}`;
    });
}
