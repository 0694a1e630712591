import { AsyncLocalStorage } from 'node:async_hooks';
import { comparePositions, type Position } from '../../kernel/event.js';

interface Scope {
  position: Position | undefined;
}

const scopes = new AsyncLocalStorage<Scope>();

/** Runs work whose appends are to be known afterwards: the newest of them is what a later read must see. */
export function trackingPosition<T>(work: () => T): T {
  return scopes.run({ position: undefined }, work);
}

/** Called after every append; without a surrounding request it does nothing. */
export function notePosition(position: Position | undefined): void {
  const scope = scopes.getStore();
  if (!scope || !position) return;
  if (!scope.position || comparePositions(scope.position, position) < 0) scope.position = position;
}

/** The newest position appended in this request so far. */
export const requestPosition = (): Position | undefined => scopes.getStore()?.position;
