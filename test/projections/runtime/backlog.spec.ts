import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Backlog } from '../../../projections/runtime/projection-runner.js';
import { approximateSize } from '../../../src/platform/eventsourcing/store/event-store.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';

const someEvents = (count: number): RecordedEvent[] =>
  Array.from({ length: count }, (_, place) => ({ type: `Number${place}` }) as RecordedEvent);

describe('the backlog of a projection', () => {
  it('hands out events in the order in which they came, a batch at a time', () => {
    const backlog = new Backlog();
    const events = someEvents(2_500);
    for (const event of events) backlog.add(event, 1);
    const batches = [backlog.take(), backlog.take(), backlog.take()];
    expect(batches.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
    expect(batches.flat()).toEqual(events);
    expect(backlog.isEmpty).toBe(true);
  });

  it('is full with 2,000 events or 8 MB of them, and has room again once they are taken', () => {
    const backlog = new Backlog();
    for (const event of someEvents(1_999)) backlog.add(event, 100);
    expect(backlog.isFull).toBe(false);
    backlog.add(someEvents(1)[0]!, 7_800_100);
    expect(backlog.isFull).toBe(true);
    backlog.take();
    expect(backlog.isFull).toBe(false);
    for (const event of someEvents(1_000)) backlog.add(event, 0);
    expect(backlog.isFull).toBe(true);
  });

  it('counts at least a third of the length that an event has as JSON, and at most ten times as much', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify({ value }).length;
        const size = approximateSize({ value });
        expect(size * 3).toBeGreaterThanOrEqual(json);
        expect(size).toBeLessThanOrEqual(json * 10);
      }),
    );
  });
});
