import { randomUUID } from 'node:crypto';
import { DomainError } from '../../src/kernel/errors.js';
import type { DomainEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import type { Clock } from '../../src/platform/clock/clock.js';
import type {
  StreamDecider,
  CommandContext,
} from '../../src/platform/eventsourcing/command-runner/command-context.js';

export type Counted = DomainEvent<'Counted', { readonly by: number }>;

/** A minimal decider: it adds numbers, ignores 0 and refuses negative ones. */
export const counter: StreamDecider<number, { readonly by: number }, Counted> = {
  category: 'metric',
  initial: () => 0,
  decide: ({ by }) => {
    if (by < 0) throw new DomainError('invalid_operation', 'A counter does not go back.');
    return by === 0 ? [] : [{ type: 'Counted', data: { by } }];
  },
  evolve: (sum, { data }) => sum + data.by,
};

export const ORG: Uuid = '0b8f6d0e-2f5c-4c55-9d6b-3f1f0a1c7e10';

export const newContext = (more: Partial<CommandContext> = {}): CommandContext => ({
  org: ORG,
  commandId: randomUUID(),
  correlationId: 'request-1',
  actor: 'system',
  ...more,
});

/** A clock that stands at the time a test sets. */
export class SetClock implements Clock {
  time = instant('2026-01-15T12:00:00Z');

  async now() {
    return this.time;
  }
}
