import type { DomainEvent, RecordedEvent } from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { CommandSession } from '../command-runner/command-context.js';

/**
 * Reacts to events of one stream by changing another stream or a table. It must be idempotent: several processes may
 * handle one event, more than once.
 */
export interface Policy<Event extends DomainEvent = DomainEvent> {
  /** Name that ids of commands derive from, so it never changes. */
  readonly name: string;
  /** Types of the events that the policy handles. */
  readonly on: readonly Event['type'][];
  /** True if the policy runs after all others, as it needs their results. */
  readonly last?: boolean;
  /**
   * @param session of the command that appended the event; absent when `PolicyWorker` handles it
   * @returns `again` if the worker must handle the event again after its grace time, as the policy has read state that
   *   others may have changed since
   */
  handle(event: RecordedEvent<Event>, session?: CommandSession): Promise<PolicyOutcome>;
}

export type PolicyOutcome = 'again' | void;

const REMEMBERED = 10_000;

/**
 * Registry of all policies by event type. Each policy registers itself in `onModuleInit`. The command runner calls
 * `handle` before it answers. `PolicyWorker` calls it for events of the log whose process died.
 */
export class Policies {
  readonly #byType = new Map<string, Policy[]>();
  readonly #handled = new Set<string>();
  /** Policies that want to handle an event again, by its id. */
  readonly #again = new Map<string, readonly Policy[]>();

  register(...policies: readonly Policy[]): void {
    for (const policy of policies) {
      for (const type of policy.on) {
        const all = [...(this.#byType.get(type) ?? []), policy];
        this.#byType.set(type, [...all.filter(({ last }) => !last), ...all.filter(({ last }) => last)]);
      }
    }
  }

  has(type: string): boolean {
    return this.#byType.has(type);
  }

  /** Returns whether this process is known to have handled an event; other processes may have handled it too. */
  isHandled(eventId: Uuid): boolean {
    return this.#handled.has(eventId);
  }

  async handle(events: readonly RecordedEvent<DomainEvent>[], session?: CommandSession): Promise<void> {
    for (const event of events) {
      const policies = this.#again.get(event.id) ?? this.#byType.get(event.type);
      if (!policies || this.#handled.has(event.id)) continue;
      const again: Policy[] = [];
      for (const policy of policies)
        if ((await policy.handle(event, session)) === 'again') again.push(policy);
      this.#again.delete(event.id);
      if (again.length === 0) this.#remember(event.id);
      else this.#handleAgain(event.id, again);
    }
  }

  /** The worker runs all policies of an event that has left the map: handling it again changes nothing. */
  #handleAgain(id: string, policies: readonly Policy[]): void {
    if (this.#again.size >= REMEMBERED) this.#again.delete(this.#again.keys().next().value!);
    this.#again.set(id, policies);
  }

  #remember(id: string): void {
    if (this.#handled.size >= REMEMBERED) this.#handled.delete(this.#handled.values().next().value!);
    this.#handled.add(id);
  }
}
