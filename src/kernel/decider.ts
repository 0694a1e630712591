import type { Instant } from './instant.js';
import type { Uuid } from './ids.js';

/** A command as a decider sees it: with the time it is decided at and the id every derived id comes from. */
export type Issued<Command> = Command & { readonly now: Instant; readonly commandId: Uuid };

/**
 * One stream's rules. `decide` throws a DomainError to refuse, and answers no events when there is nothing to do.
 * Both functions are pure and exhaustive on the discriminant.
 */
export interface Decider<State, Command, Event> {
  readonly initial: () => State;
  readonly decide: (command: Issued<Command>, state: State) => readonly Event[];
  readonly evolve: (state: State, event: Event) => State;
}

/** A state that keeps only what is still needed was asked for something older. */
export class SnapshotTooShallow extends Error {
  override readonly name = 'SnapshotTooShallow';
}

/** Placed in the default of an exhaustive switch: the compiler proves that it is never reached. */
export function never(value: never): never {
  const { type, kind } = Object(value) as { type?: unknown; kind?: unknown };
  throw new Error(`unhandled case: ${String(type ?? kind ?? value)}`);
}
