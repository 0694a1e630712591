import {
  type DomainEvent,
  type RecordedEvent,
  comparePositions,
  type Position,
} from '../../../kernel/event.js';
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
import { eventIdOf, metadataOf, type CommandContext, type FoldedStream } from './command-context.js';

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

interface Tracked {
  position: Position | undefined;
  /** Requests under way; a caller may give several the same `X-Request-Id`, and then each sees the newest of all. */
  requests: number;
}

/**
 * By correlation id, which every command of a request carries, also what follows from its events. (An
 * AsyncLocalStorage would do the same, and make every promise of the process dearer.)
 */
const tracked = new Map<string, Tracked>();

/** From now on what is appended in this request is known; the newest of it is what a later read must see. */
export function trackPosition(correlationId: string): void {
  const known = tracked.get(correlationId);
  if (known) known.requests += 1;
  else tracked.set(correlationId, { position: undefined, requests: 1 });
}

/** The request is over; what is appended under its id from now on is nobody's. */
export function forgetPosition(correlationId: string): void {
  const known = tracked.get(correlationId);
  if (known && (known.requests -= 1) === 0) tracked.delete(correlationId);
}

/** Called after every append; without a request under way it does nothing. */
export function notePosition(correlationId: string, position: Position | undefined): void {
  const known = tracked.get(correlationId);
  if (!known || !position) return;
  if (!known.position || comparePositions(known.position, position) < 0) known.position = position;
}

/** The newest position appended in this request so far. */
export const requestPosition = (correlationId: string): Position | undefined =>
  tracked.get(correlationId)?.position;
