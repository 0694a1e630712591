import type { Instant } from './instant.js';
import type { Uuid } from './ids.js';

/** A command with the time of its decision, and the command id that other ids derive from. */
export type IssuedCommand<Command> = Command & { readonly now: Instant; readonly commandId: Uuid };

/**
 * Rules of one stream. `decide` throws a DomainError to refuse, and returns no events if there is nothing to do.
 * Both functions are pure and exhaustive on the discriminant.
 */
export interface Decider<State, Command, Event> {
  readonly initial: () => State;
  readonly decide: (command: IssuedCommand<Command>, state: State) => readonly Event[];
  readonly evolve: (state: State, event: Event) => State;
}

/** Thrown when a state folded from a snapshot lacks what a command needs; the runner then folds the full history. */
export class SnapshotTooShallow extends Error {
  override readonly name = 'SnapshotTooShallow';
}

/** Ends an exhaustive switch: the compiler proves that it is never reached. */
export function assertNever(value: never): never {
  const { type, kind } = Object(value) as { type?: unknown; kind?: unknown };
  throw new Error(`No case handles ${String(type ?? kind ?? value)}.`);
}
