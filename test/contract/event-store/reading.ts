import type { RecordedEvent } from '../../../src/kernel/event.js';
import { CAUGHT_UP } from '../../../src/platform/eventsourcing/store/event-store.js';

export async function collect<Item>(items: AsyncIterable<Item>, count = Infinity): Promise<Item[]> {
  const collected: Item[] = [];
  if (count === 0) return collected;
  for await (const item of items) {
    collected.push(item);
    if (collected.length >= count) break;
  }
  return collected;
}

export const dataOf = (events: readonly RecordedEvent[]): unknown[] => events.map((event) => event.data);

export const idsOf = (events: readonly { readonly id: string }[]): string[] =>
  events.map((event) => event.id);

/** Returns the next `count` events of a subscription without CAUGHT_UP marks. */
export async function nextEvents(
  subscription: AsyncIterable<RecordedEvent | typeof CAUGHT_UP>,
  count: number,
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const item of subscription) {
    if (item !== CAUGHT_UP) events.push(item);
    if (events.length >= count) break;
  }
  return events;
}

/** Returns the events of a subscription before its first CAUGHT_UP mark. */
export async function untilCaughtUp(
  subscription: AsyncIterable<RecordedEvent | typeof CAUGHT_UP>,
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const item of subscription) {
    if (item === CAUGHT_UP) break;
    events.push(item);
  }
  return events;
}
