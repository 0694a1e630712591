import type { DomainEvent, RecordedEvent } from '../../../kernel/event.js';
import type { EventStore } from './event-store.js';
import { eventsToFold } from './events-to-fold.js';

export interface FoldedStream<State> {
  readonly state: State;
  /** Revision of the last event folded; undefined when there is none. */
  readonly revision: bigint | undefined;
}

/** A stream's state, as it is or as it was at a revision: what a verification reads again. */
export async function foldStream<State, Event extends DomainEvent>(
  store: EventStore,
  stream: string,
  rules: {
    readonly initial: () => State;
    readonly evolve: (state: State, event: Event) => State;
    readonly snapshotEventType?: string;
  },
  upTo?: bigint,
): Promise<FoldedStream<State>> {
  let state = rules.initial();
  let revision: bigint | undefined;
  const { snapshotEventType } = rules;
  const events = snapshotEventType
    ? await eventsToFold(store, stream, snapshotEventType, upTo)
    : store.readStream(stream);
  for await (const event of events) {
    if (upTo !== undefined && event.revision > upTo) break;
    state = rules.evolve(state, event as RecordedEvent<Event> as unknown as Event);
    revision = event.revision;
  }
  return { state, revision };
}
