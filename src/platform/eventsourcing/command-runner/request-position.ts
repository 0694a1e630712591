import { comparePositions, type Position } from '../../../kernel/event.js';

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
