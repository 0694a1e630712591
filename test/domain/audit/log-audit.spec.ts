import { beforeAll, describe, expect, it } from '@jest/globals';
import { LogAudit } from '../../../src/audit/doctor/log-audit.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { eventsOfBooks, storedBooks } from '../../books/books.js';

function faultsOf(events: readonly RecordedEvent[], isShared = false): string[] {
  const audit = new LogAudit();
  for (const event of events) audit.add(event);
  return audit.faults({ isShared });
}

describe('an audit of the log', () => {
  let events: readonly RecordedEvent[];

  beforeAll(() => {
    events = eventsOfBooks(storedBooks().at(-1)!);
  });

  it('finds nothing in the books of any release', () => {
    for (const name of storedBooks()) {
      const books = eventsOfBooks(name);
      expect(books.length).toBeGreaterThan(1_000);
      expect({ name, faults: faultsOf(books) }).toEqual({ name, faults: [] });
    }
  });

  it('misses an event in the middle of a stream, unless another application writes to the log', () => {
    const missing = events.findIndex(
      ({ stream, revision }, index) =>
        revision === 0n && events.slice(index + 1).some((later) => later.stream === stream),
    );
    const rest = events.toSpliced(missing, 1);
    expect(faultsOf(rest).join()).toContain('revision 0 was expected there');
    expect(faultsOf(rest, true).join()).not.toContain('was expected there');
  });

  it.each<[string, (event: RecordedEvent) => Partial<RecordedEvent>, RegExp]>([
    [
      'id',
      ({ id }) => ({ id: id.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }),
      /its id is not the one/,
    ],
    [
      'data',
      ({ data }) => ({
        data: {
          ...data,
          customerKey: 'x',
          subscriptionId: 'x',
          planId: 'x',
          metricId: 'x',
          featureId: 'x',
          addonId: 'x',
        },
      }),
      /another subject/,
    ],
    ['metadata', ({ metadata }) => ({ metadata: { ...metadata, org: 'x' } }), /another organization/],
  ])('finds another %s of an event', (_, change, fault) => {
    const first = events.findIndex(({ stream }) => stream.startsWith('customer-'));
    const changed = events.with(first, { ...events[first]!, ...change(events[first]!) });
    expect(faultsOf(changed)).toEqual([expect.stringMatching(fault)]);
  });
});
