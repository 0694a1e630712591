import type { DomainEvent, RecordedEvent } from '../../../kernel/event.js';
import type { Instant } from '../../../kernel/instant.js';
import type { ClaimsToTake } from '../claims/claim.js';
import {
  AppendOutcomeUnknown,
  RevisionConflict,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
} from '../store/event-store.js';
import { eventIdOf, metadataOf, type CommandContext } from './command-context.js';
import type { FoldedStream } from './folded-stream.js';

const BROKEN_CONNECTION_RETRIES = 4;

interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
  readonly claims: ClaimsToTake | undefined;
}

/** Repeats an append whose outcome is unknown as the connection broke: it is answered like the first time. */
export async function appendSurely(
  store: EventStore,
  { stream, expected, events, claims }: Append,
  pause: (ms: number) => Promise<unknown>,
): Promise<AppendResult | 'conflict'> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await store.append(stream, expected, events, claims);
    } catch (error) {
      if (error instanceof RevisionConflict) return 'conflict';
      if (!(error instanceof AppendOutcomeUnknown) || attempt === BROKEN_CONNECTION_RETRIES) throw error;
      await pause(50 * 2 ** attempt);
    }
  }
}

/** Whether the command may have run before: its events can be among those read, or it came first before those unread. */
export function isRepeatIn(
  { commandIds, unreadUntil }: Pick<FoldedStream<unknown, DomainEvent>, 'commandIds' | 'unreadUntil'>,
  { commandId, receivedAt, isFirstDelivery }: CommandContext,
): boolean {
  if (commandIds.has(commandId)) return true;
  // A command that came first after the events that were not read has no event among them.
  return (
    !isFirstDelivery && unreadUntil !== undefined && receivedAt !== undefined && receivedAt <= unreadUntil
  );
}

export function toNewEvents<Event extends DomainEvent>(
  stream: string,
  decided: readonly Event[],
  context: CommandContext,
  now: Instant,
): NewEvent<Event>[] {
  const metadata = metadataOf(context, now);
  return decided.map((event, index) => ({
    id: eventIdOf(context, stream, index),
    type: event.type,
    data: event.data,
    metadata,
  }));
}

export function toRecorded<Event extends DomainEvent>(
  stream: string,
  { revision, position }: AppendResult,
  events: readonly NewEvent<Event>[],
): RecordedEvent<Event>[] {
  const first = revision - BigInt(events.length - 1);
  return events.map((event, index) => ({ stream, revision: first + BigInt(index), position, ...event }));
}
