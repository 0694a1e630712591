import { invalidFields } from '../../kernel/errors.js';
import { isUuid, type Uuid } from '../../kernel/ids.js';
import { parseInstant, type Instant } from '../../kernel/instant.js';

/** Position at which a page of stored events ended. */
export interface EventCursor {
  readonly customerKey: Uuid;
  readonly eventName: string;
  readonly time: Instant;
  readonly idempotencyId: string;
}

/** Writes the opaque text of a cursor. */
export const writeEventCursor = ({ customerKey, eventName, time, idempotencyId }: EventCursor): string =>
  Buffer.from(JSON.stringify([customerKey, time, eventName, idempotencyId]), 'utf8').toString('base64url');

/** @throws DomainError for a text that no answer can have held */
export function readEventCursor(text: string): EventCursor {
  const [customerKey, at, eventName, idempotencyId] = partsOf(text);
  const time = typeof at === 'string' ? parseInstant(at) : undefined;
  const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0');
  if (isText(customerKey) && isUuid(customerKey) && time && isText(eventName) && isText(idempotencyId)) {
    return { customerKey, eventName, time, idempotencyId };
  }
  throw invalidFields({
    code: 'invalid',
    detail: 'Give a cursor from the Link header of the page before.',
    attr: 'cursor',
  });
}

function partsOf(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
