import type { Decider } from '../../kernel/decider.js';
import type { DomainEvent, RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { categoryOf } from '../../kernel/stream.js';
import type { EventStore } from '../event-store/event-store.js';
import { eventsToFold } from '../event-store/events-to-fold.js';
import { SharedLooks } from '../shared-looks.js';

export interface FoldedStream<State, Event extends DomainEvent> {
  readonly state: State;
  readonly last: RecordedEvent<Event> | undefined;
  /** Ids of the commands whose events are in the part of the stream that was read. */
  readonly commandIds: ReadonlySet<Uuid>;
  /** Until then the stream has events that were not read, as a later one carries them; undefined: it was read whole. */
  readonly unreadUntil?: Instant | undefined;
}

export interface Rules<State, Event extends DomainEvent> extends Pick<
  Decider<State, unknown, Event>,
  'initial' | 'evolve'
> {
  /** Type of the event that holds all of the state after it. */
  readonly carriedBy?: Event['type'];
}

const REMEMBERED = 2_000;

/**
 * States folded so far, the least recently used forgotten. A load reads only what has been appended since, by whomever:
 * a long stream costs as much as a short one, and nothing is ever stale. States never mutate, so they can be shared; a
 * category is folded by the same rules by all who share them.
 */
export class FoldedStreams {
  static readonly #ofStores = new WeakMap<EventStore, FoldedStreams>();
  readonly #known = new Map<string, FoldedStream<unknown, DomainEvent>>();
  /** Who loads what others load at this moment shares their next look: a sweep asks for one plan over and over. */
  readonly #looks = new SharedLooks((stream: string) => this.#load(stream));
  /** By category. */
  readonly #rules = new Map<string, Rules<unknown, DomainEvent>>();

  constructor(private readonly store: EventStore) {}

  /** What this process remembers of a store, for whoever decides, computes or reads. */
  static of(store: EventStore): FoldedStreams {
    let known = this.#ofStores.get(store);
    if (!known) this.#ofStores.set(store, (known = new FoldedStreams(store)));
    return known;
  }

  async load<State, Event extends DomainEvent>(
    stream: string,
    rules: Rules<State, Event>,
  ): Promise<FoldedStream<State, Event>> {
    this.#rules.set(categoryOf(stream), rules as unknown as Rules<unknown, DomainEvent>);
    return (await this.#looks.ask(stream)) as FoldedStream<State, Event>;
  }

  async #load(stream: string): Promise<FoldedStream<unknown, DomainEvent>> {
    const rules = this.#rules.get(categoryOf(stream))!;
    const known = this.#known.get(stream);
    let { state, last } = known ?? { state: rules.initial(), last: undefined };
    let unreadUntil = known?.unreadUntil;
    const added = new Set<Uuid>();
    const { carriedBy } = rules;
    const unread =
      !last && carriedBy
        ? await eventsToFold(this.store, stream, carriedBy)
        : this.store.readStream(stream, last ? { from: last.revision + 1n } : {});
    for await (const event of unread) {
      if (!last && event.revision > 0n) unreadUntil = event.metadata.recordedAt;
      state = rules.evolve(state, event);
      last = event;
      added.add(event.metadata.commandId);
    }
    const commandIds = added.size === 0 && known ? known.commandIds : withAll(known?.commandIds, added);
    const folded = { state, last, commandIds, unreadUntil };
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

  /** What was appended stands right behind what was loaded, or guessed: the append has proved it. */
  remember<State, Event extends DomainEvent>(
    stream: string,
    before: FoldedStream<State, Event>,
    { state, events }: { readonly state: State; readonly events: readonly RecordedEvent<Event>[] },
  ): void {
    const last = events.at(-1)!;
    const commandIds = withAll(before.last && before.commandIds, new Set([last.metadata.commandId]));
    this.#remember(stream, { state, last, commandIds, unreadUntil: before.unreadUntil });
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
