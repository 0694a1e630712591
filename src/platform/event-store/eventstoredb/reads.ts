import {
  type AllStreamResolvedEvent,
  END,
  type EventStoreDBClient,
  BACKWARDS,
  type ReadAllOptions,
  type ReadStreamOptions as ClientReadStreamOptions,
  type ResolvedEvent,
  type StreamingRead,
  StreamNotFoundError,
} from '@eventstore/db-client';
import { comparePositions, type Position, type RecordedEvent } from '../../../kernel/event.js';
import { StoreUnavailable } from '../event-store.js';

type Recorded = NonNullable<ResolvedEvent['event']>;

/** One read of a stream, empty when there is none. @throws StoreUnavailable */
export async function* streamEvents(
  client: EventStoreDBClient,
  stream: string,
  options: ClientReadStreamOptions,
  deadline: number,
): AsyncGenerator<RecordedEvent> {
  try {
    for await (const { event } of watched(client.readStream(stream, options), deadline)) {
      if (event) yield recorded(event);
    }
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw asUnavailable(error);
  }
}

/** One read of $all, system events included. @throws StoreUnavailable */
export async function* allEvents(
  client: EventStoreDBClient,
  options: ReadAllOptions,
  deadline: number,
): AsyncGenerator<Recorded & { position: Position }> {
  try {
    for await (const { event } of watched<AllStreamResolvedEvent>(client.readAll(options), deadline)) {
      if (event) yield event;
    }
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

/** The node writes its own events beside ours: statistics, links, stream metadata. */
export const isSystemEvent = ({ streamId, type }: Recorded): boolean =>
  streamId.startsWith('$') || type.startsWith('$');

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
export const asUnavailable = (error: unknown): StoreUnavailable =>
  error instanceof StoreUnavailable
    ? error
    : new StoreUnavailable(`the event store does not answer: ${messageOf(error)}`, { cause: error });

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * The client's reads know no deadline: a node that says nothing for so long does not answer. The time the reader takes
 * does not count. A read that is left early is cancelled, as its call would stay open.
 */
async function* watched<Event>(read: StreamingRead<Event>, deadline: number): AsyncGenerator<Event> {
  read.on('error', () => {});
  const events = read[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const late = (): void => void read.destroy(new StoreUnavailable(`no event within ${deadline} ms`));
      const timer = setTimeout(late, deadline);
      const next = await events.next().finally(() => clearTimeout(timer));
      isOver = next.done === true;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    if (!isOver) await read.cancel().catch(() => undefined);
  }
}
