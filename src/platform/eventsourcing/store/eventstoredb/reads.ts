import {
  BACKWARDS,
  convertToCommandError,
  END,
  NotLeaderError,
  UnavailableError,
} from '@eventstore/db-client';
import { comparePositions, type Position, type RecordedEvent } from '../../../../kernel/event.js';
import { StoreUnavailable } from '../event-store.js';
import type { NodeClient } from './client.js';
import { type LogPage, ReadCall, type StoredEvent } from './read-call.js';

const LEADER_TRIES = 3;

/**
 * One read of the log or of a stream, with the events of the node and of others; empty for a stream that there is not. It
 * asks the leader: a follower may not have yet what was appended a moment ago. A node that does not lead names the leader,
 * and the client turns to it, as it turns to another node when its own has gone away: the read begins there once more.
 * @param requiresLeader false: some node answers, be it a follower
 * @throws StoreUnavailable
 */
export async function* readEvents(
  client: NodeClient,
  page: LogPage,
  deadline: number,
  requiresLeader = true,
): AsyncGenerator<StoredEvent> {
  for (let attempt = 1; ; attempt++) {
    const call = new ReadCall(client, page, deadline, requiresLeader);
    let begun = false;
    try {
      for (let event = await call.next(); event; event = await call.next()) {
        begun = true;
        yield event;
      }
      return;
    } catch (failure) {
      const error = failure instanceof Error ? convertToCommandError(failure) : failure;
      const isElsewhere =
        error instanceof NotLeaderError || (error instanceof UnavailableError && attempt === 1);
      if (begun || !requiresLeader || !isElsewhere || attempt === LEADER_TRIES) throw asUnavailable(error);
      await new Promise(setImmediate);
    } finally {
      call.leave();
    }
  }
}

/** Whether some node answers, be it a follower. @throws StoreUnavailable */
export async function readLeader(client: NodeClient, deadline: number): Promise<void> {
  for await (const _ of readEvents(client, { maxCount: 1 }, deadline, false)) return;
}

/** Position of the newest event of any kind; undefined in an empty node. @throws StoreUnavailable */
export async function newestPosition(client: NodeClient, deadline: number): Promise<Position | undefined> {
  const newest = { direction: BACKWARDS, from: END, maxCount: 1 } as const;
  for await (const event of readEvents(client, newest, deadline)) return event.position;
  return undefined;
}

export const isAfter = (position: Position, other: Position | undefined): boolean =>
  other === undefined || comparePositions(position, other) > 0;

const NO_POSITION = 2n ** 64n - 1n;

export function recorded(event: StoredEvent): RecordedEvent {
  const { id, streamId: stream, revision, position, type, data, metadata } = event;
  if (position.commit === NO_POSITION) {
    throw new StoreUnavailable(
      'EventStoreDB before 22.6 does not say the position of what is read from a stream',
    );
  }
  return {
    id,
    stream,
    revision,
    position,
    type,
    data: data as object,
    metadata: metadata as RecordedEvent['metadata'],
  };
}

/** Every failed read means that the store does not answer; nothing else is asked of it. */
const asUnavailable = (error: unknown): StoreUnavailable =>
  error instanceof StoreUnavailable
    ? error
    : new StoreUnavailable(`the event store does not answer: ${messageOf(error)}`, { cause: error });

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
