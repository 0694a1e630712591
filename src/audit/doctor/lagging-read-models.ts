import { BEFORE_ALL, comparePositions, formatPosition, type Position } from '../../kernel/event.js';
import type { ReadModels } from '../../platform/eventsourcing/read-models.js';
import type { EventStore } from '../../platform/eventsourcing/store/event-store.js';

/** Longest lag of a healthy read model. */
const PATIENCE_MS = 5_000;

/**
 * Names the projections that are not at the head of the log, a sentence each. A restored database has some that are behind
 * before its first start; one that is ahead has read events that are gone.
 */
export async function laggingReadModels(
  store: Pick<EventStore, 'head'>,
  readModels: Pick<ReadModels, 'status' | 'waitFor'>,
): Promise<string[]> {
  const head = await store.head();
  const ahead = await readModelsAhead(store, readModels);
  if (ahead.length > 0 || !head || (await readModels.waitFor(head, PATIENCE_MS))) return ahead;
  const isBehind = (position: Position | undefined) => !position || comparePositions(position, head) < 0;
  return (await readModels.status())
    .filter(({ position }) => isBehind(position))
    .map(({ projection, position }) => {
      const at = position ? `at ${formatPosition(position)}` : 'at its beginning';
      return `the read model ${projection} is ${at}, the log at ${formatPosition(head)}`;
    });
}

async function readModelsAhead(
  store: Pick<EventStore, 'head'>,
  readModels: Pick<ReadModels, 'status'>,
): Promise<string[]> {
  const status = await readModels.status();
  // Read after the positions: the log of a running service is never behind them.
  const head = (await store.head()) ?? BEFORE_ALL;
  const end = comparePositions(head, BEFORE_ALL) > 0 ? `ends at ${formatPosition(head)}` : 'is empty';
  return status.flatMap(({ projection, position }) =>
    position && comparePositions(position, head) > 0
      ? [`the read model ${projection} is at ${formatPosition(position)}, and the log ${end}`]
      : [],
  );
}
