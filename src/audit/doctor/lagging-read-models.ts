import { comparePositions, formatPosition, type Position } from '../../kernel/event.js';
import type { ReadModels } from '../../platform/eventsourcing/read-models.js';
import type { EventStore } from '../../platform/eventsourcing/store/event-store.js';

/** Longest lag of a healthy read model. */
const PATIENCE_MS = 5_000;

/**
 * Names the projections that are behind the head of the log, a sentence each. A restored database has some
 * before its first start.
 */
export async function laggingReadModels(
  store: Pick<EventStore, 'head'>,
  readModels: Pick<ReadModels, 'status' | 'waitFor'>,
): Promise<string[]> {
  const head = await store.head();
  if (!head || (await readModels.waitFor(head, PATIENCE_MS))) return [];
  const isBehind = (position: Position | undefined) => !position || comparePositions(position, head) < 0;
  return (await readModels.status())
    .filter(({ position }) => isBehind(position))
    .map(({ projection, position }) => {
      const at = position ? `at ${formatPosition(position)}` : 'at its beginning';
      return `the read model ${projection} is ${at}, the log at ${formatPosition(head)}`;
    });
}
