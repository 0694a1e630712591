import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { RecentEvents } from '../../../src/platform/eventsourcing/store/postgres/recent-events.js';
import { newEvent } from '../../support/events.js';

const at = (position: number, data: object = {}): RecordedEvent => ({
  ...newEvent(data),
  stream: `counter-${position}`,
  revision: 0n,
  position: { commit: BigInt(position), prepare: BigInt(position) },
});
const from = (first: number, last: number): RecordedEvent[] =>
  Array.from({ length: last - first + 1 }, (_, i) => at(first + i));
const positions = (events: readonly RecordedEvent[]) => events.map(({ position }) => Number(position.commit));

describe('recent events', () => {
  it('are what stands right behind a position, no more of them than asked for', () => {
    const recent = new RecentEvents();
    recent.note(from(5, 9));
    expect(positions(recent.after(4n, 500))).toEqual([5, 6, 7, 8, 9]);
    expect(positions(recent.after(6n, 2))).toEqual([7, 8]);
    expect(recent.after(9n, 500)).toEqual([]);
  });

  it('are unknown behind a position that lies before them', () => {
    const recent = new RecentEvents();
    recent.note(from(5, 9));
    expect(recent.after(3n, 500)).toEqual([]);
  });

  it('have no gap: what comes behind one takes the place of what was known', () => {
    const recent = new RecentEvents();
    recent.note(from(1, 3));
    recent.note(from(5, 6));
    expect(recent.after(2n, 500)).toEqual([]);
    expect(positions(recent.after(4n, 500))).toEqual([5, 6]);
  });

  it('have no gap either where what is noted together has one', () => {
    const recent = new RecentEvents();
    recent.note(from(1, 2));
    recent.note([at(3), at(5), at(6), at(9)]);
    for (const position of [2n, 3n, 4n, 6n]) expect(recent.after(position, 500)).toEqual([]);
    expect(positions(recent.after(8n, 500))).toEqual([9]);
  });

  it('are there once, however often they are noted, and what is older changes nothing', () => {
    const recent = new RecentEvents();
    recent.note(from(3, 4));
    recent.note(from(1, 2));
    recent.note(from(2, 6));
    recent.note(from(3, 5));
    expect(positions(recent.after(2n, 500))).toEqual([3, 4, 5, 6]);
  });

  it('are the newest, forgotten by number and by size', () => {
    const many = new RecentEvents();
    many.note(from(1, 2_500));
    expect(many.after(1_000n, 1)).toEqual([]);
    expect(positions(many.after(1_500n, 9_999))).toHaveLength(1_000);

    const large = new RecentEvents();
    for (let n = 1; n <= 100; n += 1) large.note([at(n, { text: 'x'.repeat(400_000) })]);
    const known = [...Array(100).keys()].filter((n) => large.after(BigInt(n), 1).length > 0).length;
    expect(known).toBeGreaterThanOrEqual(9);
    expect(known).toBeLessThanOrEqual(21);
    expect(positions(large.after(99n, 1))).toEqual([100]);
  });
});
