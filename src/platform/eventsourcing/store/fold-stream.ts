import type { DomainEvent, RecordedEvent } from '../../../kernel/event.js';
import { orgOf } from '../../../kernel/stream.js';
import { LongWork } from '../../concurrency/long-work.js';
import type { EventStore } from './event-store.js';

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
  const parts = new LongWork(orgOf(stream));
  for await (const event of events) {
    if (upTo !== undefined && event.revision > upTo) break;
    state = parts.do(() => rules.evolve(state, event as RecordedEvent<Event> as unknown as Event));
    revision = event.revision;
    const turn = parts.turn();
    if (turn) await turn;
  }
  return { state, revision };
}

/** Events asked for in one go, backwards: what lies between two carryings of an account of the usual size. */
const PAGE = 100;

/**
 * The events that a stream's state is folded from, in order: from the last one that carries all before it, else all.
 * @param upTo revision of the last of them
 */
export async function eventsToFold(
  store: EventStore,
  stream: string,
  snapshotEventType: string,
  upTo?: bigint,
): Promise<RecordedEvent[]> {
  const backwards: RecordedEvent[] = [];
  for (let from = upTo; from === undefined || from >= 0n;) {
    const before = backwards.length;
    const start = from === undefined ? {} : { from };
    const page = { direction: 'backwards', limit: PAGE, until: snapshotEventType, ...start } as const;
    for await (const event of store.readStream(stream, page)) {
      backwards.push(event);
      if (event.type === snapshotEventType) return backwards.reverse();
    }
    if (backwards.length - before < PAGE) break;
    from = backwards.at(-1)!.revision - 1n;
  }
  return backwards.reverse();
}
