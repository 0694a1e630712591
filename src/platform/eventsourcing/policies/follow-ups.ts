import type { DomainEvent, RecordedEvent } from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';

/** What another stream does because of a deciding event. Doing it again must change nothing. */
export interface FollowUp {
  readonly name: string;
  /** Types of the deciding events. */
  readonly on: readonly string[];
  follow(event: RecordedEvent): Promise<void>;
}

const REMEMBERED = 10_000;

/**
 * The followers of every deciding event. The command runner does them before it answers; the worker does the same from
 * the log for a process that died (`FollowUpsWorker`), leaving out what is known to be done here.
 */
export class FollowUps {
  readonly #byType = new Map<string, FollowUp[]>();
  readonly #done = new Set<string>();

  register(followUp: FollowUp): void {
    for (const type of followUp.on) this.#byType.set(type, [...(this.#byType.get(type) ?? []), followUp]);
  }

  wants(type: string): boolean {
    return this.#byType.has(type);
  }

  /** Known to be done in this process; what another one did is not known here. */
  haveFollowed(eventId: Uuid): boolean {
    return this.#done.has(eventId);
  }

  async after(events: readonly RecordedEvent<DomainEvent>[]): Promise<void> {
    for (const event of events) {
      const followUps = this.#byType.get(event.type);
      if (!followUps || this.#done.has(event.id)) continue;
      for (const followUp of followUps) await followUp.follow(event);
      this.#remember(event.id);
    }
  }

  #remember(id: string): void {
    if (this.#done.size >= REMEMBERED) this.#done.delete(this.#done.values().next().value!);
    this.#done.add(id);
  }
}
