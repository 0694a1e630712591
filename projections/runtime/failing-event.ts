import pg from 'pg';
import { formatPosition, type RecordedEvent } from '../../src/kernel/event.js';

/** A type of a subscribed category that the projection does not name: its code is older than the log. */
export class UnknownEventType extends Error {
  override readonly name = 'UnknownEventType';
  constructor(readonly event: RecordedEvent) {
    super(`it does not know the event type "${event.type}"`);
  }
}

/** A handler threw, or returned a change that cannot be applied. */
export class EventFailed extends Error {
  override readonly name = 'EventFailed';
  constructor(
    readonly event: RecordedEvent,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** How long a failing event is left alone before each new try; after the last its stream is parked. */
export const RETRY_AFTER_MS: readonly number[] = [50, 250, 1000];

/** SQLSTATE classes that speak of the connection, the server's state or a concurrent transaction, not of the rows. */
const PASSING = new Set(['08', '25', '40', '53', '55', '57', '58']);

/**
 * Is it the events that cannot be applied, so that the same batch fails for ever? Everything else (a lost connection, a
 * server restarting) passes and is retried without end.
 */
export function isFaultOfEvents(error: unknown): boolean {
  if (error instanceof EventFailed || error instanceof UnknownEventType) return true;
  return error instanceof pg.DatabaseError && !PASSING.has((error.code ?? '08').slice(0, 2));
}

/** Why a projection stops, or leaves out a stream. */
export function reasonOf(event: RecordedEvent, error: unknown): string {
  const place = `"${event.type}" of ${event.stream} at position ${formatPosition(event.position)}`;
  return `event ${place} cannot be applied: ${error instanceof Error ? error.message : String(error)}`;
}
