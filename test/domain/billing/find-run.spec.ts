import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { instant, plusMicros, SECOND, type Instant } from '../../../src/kernel/instant.js';
import { findRun } from '../../../src/billing/runs/find-run.js';
import type { ReadStreamOptions } from '../../../src/platform/eventsourcing/store/event-store.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';

const STREAM = `account-${randomUUID()}.${randomUUID()}.USD`;
const BEGIN = instant('2026-01-01T00:00:00Z');
const at = (second: number): Instant => plusMicros(BEGIN, BigInt(second) * SECOND);

/** Stores an account with one run per second or at one instant, alternately with and without an invoice. */
async function runs(count: number, recordedAt = at) {
  const store = new InMemoryEventStore();
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const [second, runId] of ids.entries()) {
    const event = {
      id: randomUUID(),
      type: second % 2 === 0 ? 'InvoiceComputed' : 'NothingDue',
      data: { runId, ...(second % 2 === 0 && { invoiceId: `invoice ${second}` }) },
      metadata: {
        org: randomUUID(),
        commandId: randomUUID(),
        correlationId: 'x',
        actor: 'system',
        recordedAt: recordedAt(second),
        schemaVersion: 1,
      },
    };
    await store.append(STREAM, second === 0 ? 'no_stream' : BigInt(second - 1), [event]);
  }
  let read = 0;
  async function* readStream(stream: string, options?: ReadStreamOptions) {
    for await (const event of store.readStream(stream, options)) {
      read += 1;
      yield event;
    }
  }
  return { ids, store: { readStream }, read: () => read };
}

describe('a run that the latest snapshot no longer contains', () => {
  it('is found since its cause, with its invoice or none', async () => {
    const { ids, store } = await runs(50);
    expect(await findRun(store, STREAM, ids[10]!, { causedAt: at(9) })).toEqual({ invoiceId: 'invoice 10' });
    expect(await findRun(store, STREAM, ids[11]!, { causedAt: at(11) })).toEqual({ invoiceId: undefined });
    expect(await findRun(store, STREAM, ids[0]!, {})).toEqual({ invoiceId: 'invoice 0' });
    expect(await findRun(store, STREAM, randomUUID(), {})).toBeUndefined();
    expect(await findRun(store, 'account-of-nobody', randomUUID(), {})).toBeUndefined();
  });

  it('is searched in no event that was recorded before its cause', async () => {
    const { store, read } = await runs(200);
    expect(await findRun(store, STREAM, randomUUID(), { causedAt: at(195) })).toBeUndefined();
    expect(read()).toBe(6);
  });

  it('is searched in no event before its cause where the clock stands still', async () => {
    const { ids, store, read } = await runs(200, () => BEGIN);
    const cause = { causedAt: BEGIN, causationPosition: { commit: 196n, prepare: 196n } };
    expect(await findRun(store, STREAM, randomUUID(), cause)).toBeUndefined();
    expect(read()).toBe(6);
    expect(await findRun(store, STREAM, ids[196]!, cause)).toEqual({ invoiceId: 'invoice 196' });
  });
});
