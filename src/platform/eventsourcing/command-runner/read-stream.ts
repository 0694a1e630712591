import type { DomainEvent, RecordedEvent } from '../../../kernel/event.js';
import type { Instant } from '../../../kernel/instant.js';
import type { EventStore } from '../store/event-store.js';
import { foldStream } from '../store/fold-stream.js';
import { isFrozen } from '../store/frozen-view.js';
import type { CommandSession } from './command-session.js';
import { FoldedStreams, type Rules } from './folded-streams.js';

export interface ReadState<State> {
  readonly state: State;
  /** Revision of the last event; undefined for an empty stream. */
  readonly revision: bigint | undefined;
  /** When the last event was recorded; left out for a state at a revision. */
  readonly recordedAt?: Instant | undefined;
}

/**
 * Returns a stream's state as it is at this moment, of which only what is new is read, or as it was at a revision, for a
 * verification. @param session of the command that reads, which may have loaded the stream. @throws StoreUnavailable
 */
export async function readState<State, Event extends DomainEvent>(
  store: EventStore,
  stream: string,
  rules: Rules<State, Event>,
  upTo?: bigint,
  session?: CommandSession,
): Promise<ReadState<State>> {
  if (upTo !== undefined) {
    return isFrozen(store)
      ? foldFrozen(await store.eventsOf(stream), rules, upTo)
      : foldStream(store, stream, rules, upTo);
  }
  const { state, last } = await FoldedStreams.of(store).load(stream, rules, session);
  return { state, revision: last?.revision, recordedAt: last?.metadata.recordedAt };
}

/** A fold of the first `count` events of a stream. */
interface Fold extends ReadState<unknown> {
  readonly count: number;
}

/** The last fold of each frozen stream, by its rules. States never mutate, so a later fold can continue it. */
const lastFolds = new WeakMap<readonly RecordedEvent[], Map<object, Fold>>();

/** Folds up to a revision. A fold that does not end before the last one continues it, or starts from a newer snapshot. */
function foldFrozen<State, Event extends DomainEvent>(
  events: readonly RecordedEvent[],
  rules: Rules<State, Event>,
  upTo: bigint,
): ReadState<State> {
  const folds = lastFolds.get(events) ?? new Map<object, Fold>();
  const count = events.findLastIndex(({ revision }) => revision <= upTo) + 1;
  const snapshotAt = events.findLastIndex(
    ({ type }, index) => index < count && type === rules.snapshotEventType,
  );
  const last = folds.get(rules);
  const known = last && last.count <= count && last.count > snapshotAt ? last : undefined;
  let state = known ? (known.state as State) : rules.initial();
  for (const event of events.slice(known?.count ?? Math.max(snapshotAt, 0), count)) {
    state = rules.evolve(state, event as RecordedEvent<Event> as unknown as Event);
  }
  const revision = events[count - 1]?.revision;
  lastFolds.set(events, folds.set(rules, { state, revision, count }));
  return { state, revision };
}
