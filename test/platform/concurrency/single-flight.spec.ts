import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { inBackground } from '../../../src/platform/concurrency/background.js';
import { SeparateFlights, SingleFlight } from '../../../src/platform/concurrency/shared-calls.js';

/** A place to look at whose answers come when the test lets them. */
function place() {
  const begun: {
    readonly key: string;
    readonly answer: (value: number) => void;
    readonly fail: () => void;
  }[] = [];
  const flights = new SingleFlight<string, number>(
    (key) =>
      new Promise((answer, reject) =>
        begun.push({ key, answer, fail: () => reject(new Error('no answer')) }),
      ),
  );
  return { begun, flights };
}

it('background work and requests share a run, or have runs of their own', async () => {
  const count = async (flights: Pick<SingleFlight<string, number>, 'run'>): Promise<void> => {
    await Promise.all([flights.run('a'), inBackground(() => flights.run('a'))]);
  };
  let [underWay, most] = [0, 0];
  const work = async (): Promise<number> => {
    most = Math.max(most, (underWay += 1));
    await turn();
    return (underWay -= 1);
  };
  await count(new SingleFlight(work));
  expect(most).toBe(1);
  await count(new SeparateFlights(work));
  expect(most).toBe(2);
});

describe('a shared look', () => {
  it('begins at once for who comes alone', async () => {
    const { begun, flights } = place();
    const asked = flights.run('a');
    begun[0]!.answer(1);
    expect(await asked).toBe(1);
  });

  it('never answers what was seen before the question', async () => {
    const { begun, flights } = place();
    const first = flights.run('a');
    const later = [flights.run('a'), flights.run('a')];
    expect(begun).toHaveLength(1);
    begun[0]!.answer(1);
    expect(await first).toBe(1);
    later.push(flights.run('a'));
    await turn();
    await turn();
    expect(begun).toHaveLength(2);
    begun[1]!.answer(2);
    expect(await Promise.all(later)).toEqual([2, 2, 2]);
  });

  it('that fails fails for those who share it, and the next one begins', async () => {
    const { begun, flights } = place();
    const first = flights.run('a');
    const second = flights.run('a');
    begun[0]!.fail();
    await expect(first).rejects.toThrow('no answer');
    await turn();
    await turn();
    begun[1]!.answer(2);
    expect(await second).toBe(2);
  });

  it('is of one key only', () => {
    const { begun, flights } = place();
    void flights.run('a');
    void flights.run('b');
    expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
  });
});
