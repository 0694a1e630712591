import { describe, expect, it } from '@jest/globals';
import { LogFanOut } from '../../../projections/runtime/fan-out.js';
import { formatPosition, type Position, type RecordedEvent } from '../../../src/kernel/event.js';
import { BEFORE_ALL } from '../../../src/kernel/event.js';

const at = (place: number): Position => ({ commit: BigInt(place), prepare: BigInt(place) });
const eventAt = (place: number, category: string) =>
  ({ stream: `${category}-a.b`, position: at(place), data: {} }) as RecordedEvent;

/** Returns a runner that records what it receives. */
function reader(lastReceived: Position, room?: Promise<void>) {
  const had: string[] = [];
  const note = (how: string, position: Position, follows: Position): void =>
    void had.push(`${how} ${position.commit} after ${follows.commit}`);
  const runner = {
    lastReceived,
    enqueue: (event: RecordedEvent, _: number, follows: Position) => {
      note('offered', event.position, follows);
      return room;
    },
    skip: ({ position }: RecordedEvent, follows: Position) => note('passed', position, follows),
  };
  return { had, projection: { categories: ['plan'] as const }, runner };
}

describe('a reading of the log', () => {
  it('begins behind the slowest of its runners', () => {
    const { after } = new LogFanOut([reader(at(70)), reader(at(12)), reader(at(30))]);
    expect(after && formatPosition(after)).toBe('12/12');
    expect(new LogFanOut([reader(at(70)), reader(BEFORE_ALL)]).after).toBeUndefined();
  });

  it('hands every event to each of them with the one it follows', () => {
    const [slow, fast] = [reader(at(12)), reader(at(30))];
    const reading = new LogFanOut([slow, fast]);
    expect(reading.next(eventAt(20, 'plan'))).toBeUndefined();
    expect(reading.next(eventAt(500, 'account'))).toBeUndefined();
    expect(slow.had).toEqual(['offered 20 after 12', 'passed 500 after 20']);
    expect(fast.had).toEqual(slow.had);
  });

  it('takes in no runner that comes while it goes on', () => {
    const [first, later] = [reader(at(1)), reader(at(1))];
    const readers = [first];
    const reading = new LogFanOut(readers);
    readers.push(later);
    void reading.next(eventAt(2, 'plan'));
    expect(first.had).toHaveLength(1);
    expect(later.had).toEqual([]);
  });

  it('waits for those whose backlog is full', async () => {
    let free = (): void => {};
    const full = new Promise<void>((resolve) => (free = resolve));
    const reading = new LogFanOut([reader(at(1), full), reader(at(1))]);
    const room = reading.next(eventAt(2, 'plan'));
    free();
    await expect(room).resolves.toBeDefined();
  });
});
