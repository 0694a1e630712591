import type { DomainEvent, RecordedEvent } from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { CommandSession } from '../command-runner/command-context.js';

/**
 * Reacts to events of one stream with what another stream or a table has to do. An event may be handled more than once,
 * by several processes: handling it again changes nothing.
 */
export interface Policy<Event extends DomainEvent = DomainEvent> {
  /** Stored data: ids of commands derive from it, so it never changes. */
  readonly name: string;
  /** Types of the events it handles. */
  readonly on: readonly Event['type'][];
  /** Whether it runs after the policies without this mark: it needs what they complete. */
  readonly last?: boolean;
  /**
   * @param session of the command that appended the event; left out where the worker handles it from the log
   * @returns `again` when the worker must handle the event again after its grace: the policy has read what others may
   *   have changed since
   */
  handle(event: RecordedEvent<Event>, session?: CommandSession): Promise<PolicyOutcome>;
}

export type PolicyOutcome = 'again' | void;

const REMEMBERED = 10_000;

/**
 * Registry of all policies by event type. Each policy registers itself in `onModuleInit`. The command runner calls
 * `handle` before it answers; `PolicyWorker` does so from the log for a process that died, leaving out what `isHandled`
 * knows.
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

  /** Whether this process has handled the event; what other processes handled is not known here. */
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
