import { formatPosition, type Position, type RecordedEvent } from '../../../kernel/event.js';

/** Thrown for a stored event that the code cannot read: somebody has changed it, or a newer release has written it. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';

  constructor(
    readonly event: RecordedEvent,
    cause: unknown,
  ) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const described = `event ${formatPosition(event.position)} of ${event.stream}`;
    super(`${described} cannot be read: ${reason}`, { cause });
  }
}

/** Reads the whole log. An event that cannot be read is passed on, and the events after it are read all the same. */
export async function* readableEvents(
  store: { readAll(after?: Position): AsyncIterable<RecordedEvent> },
  onUnreadable: (error: UnreadableEvent) => void,
): AsyncGenerator<RecordedEvent> {
  for (let after: UnreadableEvent | undefined, isRead = false; !isRead;) {
    try {
      yield* store.readAll(after?.event.position);
      isRead = true;
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      onUnreadable(error);
      after = error;
    }
  }
}
