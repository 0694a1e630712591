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
import { type LogPage, ReadCall, type NodeEvent } from './read-call.js';

const LEADER_TRIES = 3;

/**
 * Reads the log or a stream, with the events of the node and of other applications; a missing stream is empty. It reads
 * from the leader, as a follower may lack the newest events. A follower names the leader, and the client reconnects to it,
 * or to another node if its own is down; the read then begins again.
 * @param requiresLeader false if a follower may answer
 * @throws StoreUnavailable
 */
export async function* readEvents(
  client: NodeClient,
  page: LogPage,
  deadline: number,
  requiresLeader = true,
): AsyncGenerator<NodeEvent> {
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

/** Reads one event, so that the client is connected. @throws StoreUnavailable if no node answers */
export async function ping(client: NodeClient, deadline: number): Promise<void> {
  for await (const _ of readEvents(client, { maxCount: 1 }, deadline, false)) return;
}

/** Returns the position of the newest event of any application; undefined for an empty node. @throws StoreUnavailable */
export async function newestPosition(client: NodeClient, deadline: number): Promise<Position | undefined> {
  const newest = { direction: BACKWARDS, from: END, maxCount: 1 } as const;
  for await (const event of readEvents(client, newest, deadline)) return event.position;
  return undefined;
}

export const isAfter = (position: Position, other: Position | undefined): boolean =>
  other === undefined || comparePositions(position, other) > 0;

const NO_POSITION = 2n ** 64n - 1n;

export function toRecordedEvent(event: NodeEvent): RecordedEvent {
  const { id, streamId: stream, revision, position, type, data, metadata } = event;
  if (position.commit === NO_POSITION) {
    throw new StoreUnavailable(
      'EventStoreDB before 22.6 returns no positions of events in streams. Upgrade it.',
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

/** Returns StoreUnavailable for every error of a read. */
function asUnavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  return (
    asReplaced(error) ??
    new StoreUnavailable(`The event store does not answer: ${messageOf(error)}`, { cause: error })
  );
}

/** Returns the error to throw when a node refuses a position, which was that of an event: no later attempt succeeds. */
export function asReplaced(error: unknown): StoreUnavailable | undefined {
  if (!/InvalidPosition|invalid position/.test(messageOf(error))) return undefined;
  return new StoreUnavailable(
    'The event store has another log: it has no event where one was read. Connect the former log, or restore PostgreSQL too.',
    { cause: error },
  );
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
