import { randomUUID } from 'node:crypto';
import { instant } from '../../src/kernel/instant.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { streamName } from '../../src/kernel/event.js';
import type { NewEvent } from '../../src/platform/eventsourcing/store/event-store.js';

const ORG = '0b8f6d0e-2f5c-4c55-9d6b-3f1f0a1c7e10';

/** Returns an event to append; `data` and `id` can be chosen. */
export const newEvent = (data: object = {}, id: Uuid = randomUUID()): NewEvent => ({
  id,
  type: 'AddonAttached',
  data,
  metadata: {
    org: ORG,
    commandId: '5d1b9e1c-77a7-4a6e-8f86-0d8a4cf1f1aa',
    correlationId: 'request-1',
    actor: 'system',
    recordedAt: instant('2026-01-31T12:00:00.000001Z'),
    schemaVersion: 1,
  },
});

/** Returns `count` events with the data `{ n: 0 }`, `{ n: 1 }` … */
export const newEvents = (count: number): NewEvent[] =>
  Array.from({ length: count }, (_, n) => newEvent({ n }));

export const newStream = (): string => streamName('subscription', ORG, randomUUID());
