import { isUuid, type Uuid } from '../../kernel/ids.js';
import { parseInstant, type Instant } from '../../kernel/instant.js';
import { invalidCursor } from '../../platform/database/cursor.js';
import { orderingsOf } from '../../platform/database/ordering.js';

/** Orders of a list of events by the caller's choice. */
export const EVENT_ORDERINGS = orderingsOf(['time_created']);
export type EventOrdering = (typeof EVENT_ORDERINGS)[number];

/** Position at which a page of events by time ended. */
export interface TimeCursor {
  readonly time: Instant;
  readonly idempotencyId: string;
}

/** Position at which a page of stored events ended. */
export interface EventCursor extends TimeCursor {
  readonly customerKey: Uuid;
  readonly eventName: string;
}

/** Writes the opaque text of a cursor. */
export const writeEventCursor = ({ customerKey, eventName, time, idempotencyId }: EventCursor): string =>
  textOf([customerKey, time, eventName, idempotencyId]);

/** A cursor belongs to its order. */
export const writeTimeCursor = (ordering: EventOrdering, { time, idempotencyId }: TimeCursor): string =>
  textOf([ordering, time, idempotencyId]);

const textOf = (parts: readonly string[]): string =>
  Buffer.from(JSON.stringify(parts), 'utf8').toString('base64url');

/** @throws DomainError for a text that no answer can have held */
export function readEventCursor(text: string): EventCursor {
  const [customerKey, at, eventName, idempotencyId] = partsOf(text);
  const time = timeOf(at);
  if (isText(customerKey) && isUuid(customerKey) && time && isText(eventName) && isText(idempotencyId)) {
    return { customerKey, eventName, time, idempotencyId };
  }
  throw invalidCursor();
}

/** @throws DomainError for a text that no answer in this order can have held */
export function readTimeCursor(ordering: EventOrdering, text: string): TimeCursor {
  const [own, at, idempotencyId] = partsOf(text);
  const time = timeOf(at);
  if (own === ordering && time && isText(idempotencyId)) return { time, idempotencyId };
  throw invalidCursor();
}

const timeOf = (value: unknown): Instant | undefined =>
  typeof value === 'string' ? parseInstant(value) : undefined;

const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0');

function partsOf(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
