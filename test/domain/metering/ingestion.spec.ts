import { describe, expect, it } from '@jest/globals';
import { instant } from '../../../src/kernel/instant.js';
import { firstOfEachId, classifyEntries } from '../../../src/metering/domain/ingestion.js';
import type { ReadEntry } from '../../../src/metering/domain/usage-event.js';

const event = (idempotencyId: string, bodyHash: string, outside?: string): ReadEntry => ({
  event: {
    idempotencyId,
    customerKey: '5d1b9e1c-77a7-4a6e-8f86-0d8a4cf1f1aa',
    eventName: 'request',
    time: instant('2026-01-31T12:00:00Z'),
    properties: '{}',
    bodyHash,
  },
  outside,
});
const broken = (idempotencyId: string | undefined, reason: string): ReadEntry => ({
  event: undefined,
  idempotencyId,
  reason,
});
const OTHER = 'Another event was received under this idempotency_id.';

describe('a request of events', () => {
  it('writes the first event of each id that is inside the window', () => {
    const firsts = firstOfEachId([
      event('a', 'late', 'too late'),
      event('a', '1'),
      event('a', '2'),
      event('b', '3'),
      broken('c', 'no'),
    ]);
    expect([...firsts].map(([id, { bodyHash }]) => [id, bodyHash])).toEqual([
      ['a', '1'],
      ['b', '3'],
    ]);
  });

  it('succeeds with an event that was written, however often it is in the request', () => {
    const entries = [event('a', '1'), event('a', '1')];
    expect(classifyEntries(entries, firstOfEachId(entries), new Map())).toEqual({
      accepted: 2,
      failed: 0,
      failures: new Map(),
    });
  });

  it('succeeds with an event that the log held', () => {
    const entries = [event('a', '1')];
    expect(classifyEntries(entries, firstOfEachId(entries), new Map([['a', '1']]))).toMatchObject({
      accepted: 1,
    });
  });

  it('fails the event whose id belongs to another body, and only that one', () => {
    const entries = [event('a', '1'), event('a', '2')];
    const given = firstOfEachId(entries);
    const failure = { accepted: 1, failed: 1, failures: new Map([['a', OTHER]]) };
    expect(classifyEntries(entries, given, new Map())).toEqual(failure);
    expect(classifyEntries(entries, given, new Map([['a', '2']]))).toEqual(failure);
    expect(classifyEntries(entries, given, new Map([['a', '3']]))).toMatchObject({ accepted: 0, failed: 2 });
  });

  it('succeeds with a repeat that comes after its window, and says why a new event outside it fails', () => {
    const entries = [event('a', '1', 'too late'), event('b', '2', 'too late'), event('c', '3', 'too early')];
    expect(classifyEntries(entries, new Map(), new Map([['a', '1']]))).toEqual({
      accepted: 1,
      failed: 2,
      failures: new Map([
        ['b', 'too late'],
        ['c', 'too early'],
      ]),
    });
  });

  it('reports entries without an id together, each reason once', () => {
    const entries = [
      broken(undefined, 'A.'),
      broken(undefined, 'A.'),
      broken(undefined, 'B.'),
      broken('x', 'C.'),
    ];
    expect(classifyEntries(entries, new Map(), new Map())).toEqual({
      accepted: 0,
      failed: 4,
      failures: new Map([
        ['no_idempotency_id', 'A. B.'],
        ['x', 'C.'],
      ]),
    });
  });
});
