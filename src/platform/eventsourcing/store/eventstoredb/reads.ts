import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  NotLeaderError,
  type ReadAllOptions,
  type ReadStreamOptions as ClientReadStreamOptions,
  type ResolvedEvent,
  type StreamingRead,
  StreamNotFoundError,
  UnavailableError,
} from '@eventstore/db-client';
import { comparePositions, type Position, type RecordedEvent } from '../../../../kernel/event.js';
import { StoreUnavailable } from '../event-store.js';

type Recorded = NonNullable<ResolvedEvent['event']>;

/**
 * One read of a stream, empty when there is none. It asks the leader: a follower may not have yet what was appended a
 * moment ago. @throws StoreUnavailable
 */
export async function* streamEvents(
  client: EventStoreDBClient,
  stream: string,
  options: ClientReadStreamOptions,
  deadline: number,
): AsyncGenerator<Recorded> {
  const read = () => client.readStream(stream, { ...options, requiresLeader: true });
  try {
    for await (const { event } of atTheLeader(read, deadline, options.maxCount)) if (event) yield event;
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw asUnavailable(error);
  }
}

/** One read of $all at the leader, with the events of the node and of others. @throws StoreUnavailable */
export async function* allEvents(
  client: EventStoreDBClient,
  options: ReadAllOptions,
  deadline: number,
): AsyncGenerator<Recorded & { position: Position }> {
  const read = () => client.readAll({ ...options, requiresLeader: true });
  try {
    const events = atTheLeader<AllStreamResolvedEvent>(read, deadline, options.maxCount);
    for await (const { event } of events) if (event) yield event;
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Whether some node answers, be it a follower. @throws StoreUnavailable */
export async function reach(client: EventStoreDBClient, deadline: number): Promise<void> {
  try {
    for await (const _ of watched(client.readAll({ maxCount: 1 }), deadline, 1)) return;
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Position of the newest event of any kind; undefined in an empty node. @throws StoreUnavailable */
export async function newestPosition(
  client: EventStoreDBClient,
  deadline: number,
): Promise<Position | undefined> {
  const newest = { direction: BACKWARDS, fromPosition: END, maxCount: 1 } as const;
  for await (const event of allEvents(client, newest, deadline)) return event.position;
  return undefined;
}

export const isAfter = (position: Position, other: Position | undefined): boolean =>
  other === undefined || comparePositions(position, other) > 0;

const NO_POSITION = 2n ** 64n - 1n;

export function recorded(event: Recorded): RecordedEvent {
  const { id, streamId, revision, position, type, data, metadata } = event;
  if (position === undefined || position.commit === NO_POSITION) {
    throw new StoreUnavailable(
      'EventStoreDB before 22.6 does not say the position of what is read from a stream',
    );
  }
  return {
    id,
    stream: streamId,
    revision,
    position,
    type,
    data: data as object,
    metadata: metadata as unknown as RecordedEvent['metadata'],
  };
}

/** Every failed read means that the store does not answer; nothing else is asked of it. */
const asUnavailable = (error: unknown): StoreUnavailable =>
  error instanceof StoreUnavailable
    ? error
    : new StoreUnavailable(`the event store does not answer: ${messageOf(error)}`, { cause: error });

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const LEADER_TRIES = 3;

/**
 * A node that does not lead names the leader, and the client turns to it, as it turns to another node when its own has
 * gone away: the read begins there once more.
 */
async function* atTheLeader<Event>(
  read: () => StreamingRead<Event>,
  deadline: number,
  maxCount?: number | bigint,
): AsyncGenerator<Event> {
  for (let attempt = 1; ; attempt++) {
    let begun = false;
    try {
      for await (const event of watched(read(), deadline, maxCount)) {
        begun = true;
        yield event;
      }
      return;
    } catch (error) {
      const isElsewhere =
        error instanceof NotLeaderError || (error instanceof UnavailableError && attempt === 1);
      if (begun || !isElsewhere || attempt === LEADER_TRIES) throw error;
      await new Promise(setImmediate);
    }
  }
}

/** The read says that it has ended only when it is asked once more. */
async function ended<Event>(events: AsyncIterator<Event>): Promise<void> {
  await events.next().catch(() => undefined);
}

/**
 * The client's reads know no deadline: a node that says nothing for so long does not answer. The time the reader takes
 * does not count. A read that is left early is cancelled, as its call would stay open; one that has had all it asked for
 * ends by itself. Servers close a connection on which too many calls are cancelled.
 */
async function* watched<Event>(
  read: StreamingRead<Event>,
  deadline: number,
  maxCount?: number | bigint,
): AsyncGenerator<Event> {
  read.on('error', () => {});
  const events = read[Symbol.asyncIterator]();
  let isOver = false;
  let count = 0;
  try {
    for (;;) {
      const late = (): void => void read.destroy(new StoreUnavailable(`no event within ${deadline} ms`));
      const timer = setTimeout(late, deadline);
      const next = await events.next().finally(() => clearTimeout(timer));
      isOver = next.done === true;
      if (next.done) return;
      count += 1;
      yield next.value;
    }
  } catch (error) {
    // The node has said all there is to say, and ends the call.
    isOver = error instanceof StreamNotFoundError;
    throw error;
  } finally {
    if (!isOver && maxCount !== undefined && count === Number(maxCount)) void ended(events);
    else if (!isOver) await read.cancel().catch(() => undefined);
  }
}
