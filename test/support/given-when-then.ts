import { expect } from '@jest/globals';
import type { Decider } from '../../src/kernel/decider.js';
import { DomainError, type ErrorCode } from '../../src/kernel/errors.js';
import type { DomainEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { instant, type Instant } from '../../src/kernel/instant.js';

export const COMMAND_ID: Uuid = 'c0ffee00-0000-4000-8000-000000000001';
export const NOW: Instant = instant('2026-01-15T12:00:00Z');

export interface Issue {
  readonly now?: Instant;
  readonly commandId?: Uuid;
}

/**
 * Runs a command against a decider: `given(decider, history).when(command)`, then `.then(event, …)` for the
 * expected events, `.nothing()` for none, `.refuses(code)` for a refusal, or `.decided()` for the events themselves.
 */
export function given<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  history: readonly Event[] = [],
) {
  const state = history.reduce(decider.evolve, decider.initial());
  return {
    when(command: Command, { now = NOW, commandId = COMMAND_ID }: Issue = {}) {
      const decided = () => decider.decide({ ...command, now, commandId }, state);
      return {
        decided,
        then: (...events: Event[]) => expect(decided()).toEqual(events),
        nothing: () => expect(decided()).toEqual([]),
        refuses: (code: ErrorCode) => expect(refusalOf(decided).code).toBe(code),
      };
    },
  };
}

/** Returns the error with which a function refuses. @throws when it does not refuse, or the function's other error */
export function refusalOf(act: () => unknown): DomainError {
  try {
    act();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('expected a refusal, and there was none');
}
