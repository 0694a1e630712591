import type { Decider } from '../../kernel/decider.js';
import type { DomainEvent, RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { EventStore } from '../event-store/event-store.js';
import { eventsToFold } from '../event-store/events-to-fold.js';

export interface FoldedStream<State, Event extends DomainEvent> {
  readonly state: State;
  readonly last: RecordedEvent<Event> | undefined;
  /** Ids of the commands whose events are in the part of the stream that was read. */
  readonly commandIds: ReadonlySet<Uuid>;
}

interface Rules<State, Event extends DomainEvent> extends Pick<
  Decider<State, unknown, Event>,
  'initial' | 'evolve'
> {
  /** Type of the event that holds all of the state after it. */
  readonly carriedBy?: Event['type'];
}

const REMEMBERED = 2_000;

/**
 * States folded so far, the least recently used forgotten. A load reads only what has been appended since, by whomever:
 * a long stream costs as much as a short one, and nothing is ever stale. States never mutate, so they can be shared.
 */
export class FoldedStreams {
  readonly #known = new Map<string, FoldedStream<unknown, DomainEvent>>();

  constructor(private readonly store: EventStore) {}

  async load<State, Event extends DomainEvent>(
    stream: string,
    rules: Rules<State, Event>,
  ): Promise<FoldedStream<State, Event>> {
    const known = this.#known.get(stream) as FoldedStream<State, Event> | undefined;
    let { state, last } = known ?? { state: rules.initial(), last: undefined };
    const added = new Set<Uuid>();
    const { carriedBy } = rules;
    const unread =
      !last && carriedBy
        ? await eventsToFold(this.store, stream, carriedBy)
        : this.store.readStream(stream, last ? { from: last.revision + 1n } : {});
    for await (const stored of unread) {
      const event = stored as RecordedEvent<Event>;
      state = rules.evolve(state, event as unknown as Event);
      last = event;
      added.add(event.metadata.commandId);
    }
    const commandIds = added.size === 0 && known ? known.commandIds : withAll(known?.commandIds, added);
    const folded = { state, last, commandIds };
    if (last) this.#remember(stream, folded);
    return folded;
  }

  /** What is remembered, without a look whether the stream has gained anything: a guess that an append has to prove. */
  guess<State, Event extends DomainEvent>(
    stream: string,
    rules: Pick<Decider<State, unknown, Event>, 'initial'>,
  ): FoldedStream<State, Event> {
    const known = this.#known.get(stream) as FoldedStream<State, Event> | undefined;
    return known ?? { state: rules.initial(), last: undefined, commandIds: new Set() };
  }

  /** A guess was right: what was appended stands right behind it. */
  remember<State, Event extends DomainEvent>(
    stream: string,
    guess: FoldedStream<State, Event>,
    { state, events }: { readonly state: State; readonly events: readonly RecordedEvent<Event>[] },
  ): void {
    const last = events.at(-1)!;
    const commandIds = withAll(guess.last && guess.commandIds, new Set([last.metadata.commandId]));
    this.#remember(stream, { state, last, commandIds });
  }

  #remember(stream: string, folded: FoldedStream<unknown, DomainEvent>): void {
    const known = this.#known.get(stream);
    if (known && known.last!.revision > folded.last!.revision) return;
    this.#known.delete(stream);
    this.#known.set(stream, folded);
    if (this.#known.size > REMEMBERED) this.#known.delete(this.#known.keys().next().value!);
  }
}

/** The ids of one history share one set: it only grows, and an id is asked for once its event was read. */
function withAll(known: ReadonlySet<Uuid> | undefined, added: Set<Uuid>): ReadonlySet<Uuid> {
  if (!known) return added;
  for (const id of added) (known as Set<Uuid>).add(id);
  return known;
}
