import { randomUUID } from 'node:crypto';
import { BatchWriter } from '../../projections/runtime/batch-writer.js';
import { loadCheckpoint } from '../../projections/runtime/checkpoint.js';
import { createReadModels } from '../../projections/runtime/read-model-tables.js';
import type { Projection } from '../../projections/runtime/projection.js';
import {
  type DomainEvent,
  type RecordedEvent,
  streamName,
  type StreamCategory,
} from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { InMemoryEventStore } from './in-memory-event-store.js';
import type { TestDatabase } from './postgres.js';

export interface ProjectedLog {
  readonly org: Uuid;
  /** Appends to a stream and projects the events. */
  append(category: StreamCategory, id: string, ...events: DomainEvent[]): Promise<RecordedEvent[]>;
  /** Projects events again, as after a crash with an unknown outcome. */
  repeat(events: readonly RecordedEvent[]): Promise<void>;
}

/** Returns a log in memory whose events are projected into a database. */
export async function projectedLog(database: TestDatabase, projection: Projection): Promise<ProjectedLog> {
  const org = randomUUID();
  const store = new InMemoryEventStore();
  const writer = new BatchWriter(database.pool, projection);
  const revisions = new Map<string, bigint>();
  await createReadModels(database.pool, [projection]);

  const apply = async (events: readonly RecordedEvent[]): Promise<void> => {
    const { position } = await loadCheckpoint(database.pool, projection);
    await writer.apply(position, events, undefined);
  };
  return {
    org,
    repeat: apply,
    append: async (category, id, ...events) => {
      const stream = streamName(category, org, id);
      const before = revisions.get(stream);
      const metadata = {
        org,
        commandId: randomUUID(),
        correlationId: 'test',
        actor: 'system',
        recordedAt: instant('2026-01-01T00:00:00Z'),
        schemaVersion: 1,
      };
      const { revision } = await store.append(
        stream,
        before ?? 'no_stream',
        events.map((event) => ({ ...event, id: randomUUID(), metadata })),
      );
      revisions.set(stream, revision);
      const appended: RecordedEvent[] = [];
      for await (const event of store.readStream(stream, { from: (before ?? -1n) + 1n }))
        appended.push(event);
      await apply(appended);
      return appended;
    },
  };
}
