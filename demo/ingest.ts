import type { Recount } from '../clients/typescript/src/index.js';
import { isMalformed, readLog } from './access-log.js';
import type { LogSlice } from './log-calendar.js';
import { forEachConcurrent } from '../src/platform/concurrency/limits.js';

const BATCH = 500;
const AT_ONCE = 4;

interface UsageEvent {
  readonly event_name: 'request';
  readonly customer_id: string;
  readonly idempotency_id: string;
  readonly time_created: string;
  readonly properties: Record<string, unknown>;
}

export interface Ingested {
  readonly events: number;
  readonly failed: number;
  readonly milliseconds: number;
}

/**
 * Sends the slice's requests as usage events in batches. File hash and line number identify a request for
 * ever.
 */
export async function ingest(
  client: Recount,
  file: string,
  hash: string,
  slice: LogSlice,
): Promise<Ingested> {
  let events = 0;
  let failed = 0;
  const began = performance.now();
  await forEachConcurrent(batchesOf(file, hash, slice), AT_ONCE, async (batch) => {
    const answer = await client.trackEvents({ batch });
    events += batch.length;
    failed += Object.keys(answer.failed_events ?? {}).length;
  });
  return { events, failed, milliseconds: performance.now() - began };
}

async function* batchesOf(file: string, hash: string, slice: LogSlice): AsyncGenerator<UsageEvent[]> {
  let batch: UsageEvent[] = [];
  for await (const entry of readLog(file)) {
    if (isMalformed(entry) || entry.time < slice.from || entry.time >= slice.until) continue;
    const { client, time, line, method, status, bytes } = entry;
    batch.push({
      event_name: 'request',
      customer_id: client,
      idempotency_id: `${hash}:${line}`,
      time_created: time,
      properties: { method, status, bytes },
    });
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
