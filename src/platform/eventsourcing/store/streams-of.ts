import { categoryOf, type StreamCategory } from '../../../kernel/stream.js';
import type { EventStore } from './event-store.js';

/** The streams of a category, each once, in the order in which they began. @throws StoreUnavailable */
export async function* streamsOf(
  store: Pick<EventStore, 'readAll' | 'streamsOf'>,
  category: StreamCategory,
): AsyncGenerator<string> {
  if (store.streamsOf) return yield* store.streamsOf(category);
  for await (const { stream, revision } of store.readAll()) {
    if (revision === 0n && categoryOf(stream) === category) yield stream;
  }
}
