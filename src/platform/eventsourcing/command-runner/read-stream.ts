import type { DomainEvent } from '../../../kernel/event.js';
import type { EventStore } from '../store/event-store.js';
import { foldStream } from '../store/fold-stream.js';
import { FoldedStreams, type Rules } from './folded-streams.js';

export interface ReadState<State> {
  readonly state: State;
  /** Revision of the last event; undefined for an empty stream. */
  readonly revision: bigint | undefined;
}

/**
 * A stream's state as it is at this moment, of which only what is new is read, or as it was at a revision, for a
 * verification. @throws StoreUnavailable
 */
export async function readState<State, Event extends DomainEvent>(
  store: EventStore,
  stream: string,
  rules: Rules<State, Event>,
  upTo?: bigint,
): Promise<ReadState<State>> {
  if (upTo !== undefined) return foldStream(store, stream, rules, upTo);
  const { state, last } = await FoldedStreams.of(store).load(stream, rules);
  return { state, revision: last?.revision };
}
