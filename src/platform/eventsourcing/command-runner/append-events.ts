import {
  type DomainEvent,
  type RecordedEvent,
  comparePositions,
  type Position,
} from '../../../kernel/event.js';
import { DomainError } from '../../../kernel/errors.js';
import type { Instant } from '../../../kernel/instant.js';
import {
  AppendOutcomeUnknown,
  RevisionConflict,
  StoreUnavailable,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
} from '../store/event-store.js';
import { eventIdOf, metadataOf, type CommandContext, type FoldedStream } from './command-context.js';

const BROKEN_CONNECTION_RETRIES = 4;

/**
 * Time after a reservation or claim in which an append that relies on it must begin. Others take over one that is a minute
 * old, so an append that begins at the end of the time has as long again.
 */
const LEASE_MS = 30_000;

/** The process stood still after it had reserved, so another command may have taken the reservation. */
export class LeaseEnded extends DomainError {
  constructor() {
    super('conflict', 'The request was held up for too long. Try again.');
  }
}

/** Returns the context of the append that relies on what is reserved from now on. */
export const withLease = (context: CommandContext): CommandContext => ({
  ...context,
  appendUntil: performance.now() + LEASE_MS,
});

interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
  readonly context: Pick<CommandContext, 'claims' | 'appendUntil'>;
}

/**
 * Appends, and repeats an append whose outcome is unknown because the connection broke. A store that is down meanwhile does
 * not tell whether the events are stored, so the outcome stays unknown. @throws LeaseEnded when it begins too late
 */
export async function appendWithRetry(
  store: EventStore,
  { stream, expected, events, context: { claims, appendUntil = Infinity } }: Append,
  pause: (ms: number) => Promise<unknown>,
): Promise<AppendResult | 'conflict'> {
  let unknown: AppendOutcomeUnknown | undefined;
  for (let attempt = 0; ; attempt++) {
    if (performance.now() > appendUntil) throw unknown ?? new LeaseEnded();
    try {
      return await store.append(stream, expected, events, claims);
    } catch (error) {
      if (error instanceof RevisionConflict) return 'conflict';
      if (error instanceof AppendOutcomeUnknown) unknown = error;
      if (!unknown || !(error instanceof AppendOutcomeUnknown || error instanceof StoreUnavailable))
        throw error;
      if (attempt === BROKEN_CONNECTION_RETRIES) throw unknown;
      await pause(50 * 2 ** attempt);
    }
  }
}

/** Returns whether the command may have run before, so that the whole stream has to be searched for its events. */
export function mayBeRepeat(
  { commandIds, unreadUntil }: Pick<FoldedStream<unknown>, 'commandIds' | 'unreadUntil'>,
  { commandId, receivedAt, isFirstDelivery }: CommandContext,
): boolean {
  if (commandIds.has(commandId)) return true;
  // A first delivery cannot have appended events before now.
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

/** Returns whether the policy worker of one process and the process of the cause may run a command at once. */
export const mayRunElsewhere = ({ causationId, isWorkers, session }: CommandContext): boolean =>
  causationId !== undefined && (isWorkers === true || session?.isSlow === true);

/** Returns whether the store has events as they were decided here. @throws AppendOutcomeUnknown if it cannot be read */
export async function areStored(
  store: EventStore,
  events: readonly RecordedEvent<DomainEvent>[],
): Promise<boolean> {
  const { stream, revision } = events[0]!;
  let count = 0;
  try {
    for await (const stored of store.readStream(stream, { from: revision, limit: events.length })) {
      const { data, metadata } = events[count++]!;
      if (stored.metadata.recordedAt !== metadata.recordedAt) return false;
      if (JSON.stringify(stored.data) !== JSON.stringify(data)) return false;
    }
  } catch (error) {
    throw new AppendOutcomeUnknown(`The events that ${stream} has cannot be read.`, { cause: error });
  }
  return count === events.length;
}

interface Tracked {
  position: Position | undefined;
  /** Requests under way with this id: a caller may send one `X-Request-Id` with several. */
  requests: number;
}

/**
 * Newest position of each request under way, by correlation id, which the commands of its policies carry too. An
 * AsyncLocalStorage would slow down every promise of the process.
 */
const tracked = new Map<string, Tracked>();

/** Starts tracking the newest position that a request appends; later reads of its caller wait for it. */
export function trackPosition(correlationId: string): void {
  const known = tracked.get(correlationId);
  if (known) known.requests += 1;
  else tracked.set(correlationId, { position: undefined, requests: 1 });
}

/** Stops tracking when the request ends. */
export function forgetPosition(correlationId: string): void {
  const known = tracked.get(correlationId);
  if (known && (known.requests -= 1) === 0) tracked.delete(correlationId);
}

/** Notes the position of an append; does nothing if no request with this id is under way. */
export function notePosition(correlationId: string, position: Position | undefined): void {
  const known = tracked.get(correlationId);
  if (!known || !position) return;
  if (!known.position || comparePositions(known.position, position) < 0) known.position = position;
}

/** Returns the newest position that the request has appended. */
export const requestPosition = (correlationId: string): Position | undefined =>
  tracked.get(correlationId)?.position;
