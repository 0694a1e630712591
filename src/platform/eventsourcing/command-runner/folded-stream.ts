import type { DomainEvent, RecordedEvent } from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';

/** A stream as far as it was read, folded into its state. */
export interface FoldedStream<State, Event extends DomainEvent> {
  readonly state: State;
  readonly last: RecordedEvent<Event> | undefined;
  /** Ids of the commands whose events are in the part of the stream that was read. */
  readonly commandIds: ReadonlySet<Uuid>;
  /** Until then the stream has events that were not read, as a later one carries them; undefined: it was read whole. */
  readonly unreadUntil?: Instant | undefined;
  /** Characters of the events that it was folded from: about what it holds, and more where they replace one another. */
  readonly size: number;
}
