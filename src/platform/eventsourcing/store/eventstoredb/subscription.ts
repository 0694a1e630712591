import { setTimeout as sleep } from 'node:timers/promises';
import type { Position, RecordedEvent } from '../../../../kernel/event.js';
import { CAUGHT_UP } from '../event-store.js';
import type { NodeClient } from './client.js';
import type { RecountEvents } from './recount-events.js';
import { ReadCall } from './read-call.js';
import { asReplaced, isAfter, newestPosition, toRecordedEvent } from './reads.js';

const RETRY_FIRST = 100;
const RETRY_MOST = 5_000;

/**
 * Yields the events after a position, with a new subscription whenever the connection breaks. It reads $all without a
 * filter and skips events of others, as the checkpoints of a filtered subscription can overtake events. It also ignores
 * the node's `caughtUp`: it has caught up when it has yielded the event that was the newest when it began.
 */
export async function* followAll(
  client: NodeClient,
  after: Position | undefined,
  stop: AbortSignal,
  { deadline, own }: { readonly deadline: number; readonly own: RecountEvents },
): AsyncGenerator<RecordedEvent | typeof CAUGHT_UP> {
  let last = after;
  let pause = RETRY_FIRST;
  while (!stop.aborted) {
    let call: ReadCall | undefined;
    const leave = (): void => call?.leave();
    stop.addEventListener('abort', leave, { once: true });
    try {
      const newest = await newestPosition(client, deadline);
      let isLive = newest === undefined || !isAfter(newest, last);
      if (isLive && !stop.aborted) yield CAUGHT_UP;
      if (stop.aborted) return;
      const page = { isSubscription: true, ...(last ? { from: last } : {}) };
      call = new ReadCall(client, page, deadline);
      for (let event = await call.next(); event; event = await call.next()) {
        if (!isAfter(event.position, last)) continue;
        last = event.position;
        if (own.has(event)) yield toRecordedEvent(event);
        if (stop.aborted) return;
        if (!isLive && !isAfter(newest!, last)) {
          isLive = true;
          yield CAUGHT_UP;
        }
      }
    } catch (error) {
      const replaced = asReplaced(error);
      if (replaced) throw replaced;
      // The connection broke or the node refused: try again.
    } finally {
      stop.removeEventListener('abort', leave);
      leave();
    }
    if (call?.hasAnswered) pause = RETRY_FIRST;
    await sleep(pause, undefined, { signal: stop }).catch(() => undefined);
    pause = Math.min(pause * 2, RETRY_MOST);
  }
}
