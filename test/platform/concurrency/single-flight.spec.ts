import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { inBackground } from '../../../src/platform/concurrency/long-work.js';
import {
  AbortableSingleFlight,
  SeparateFlights,
  SingleFlight,
} from '../../../src/platform/concurrency/shared-calls.js';

type Work = (key: string) => Promise<number>;

/** Classes that share calls, each with a function that shares the calls of some work. */
const ways: readonly (readonly [name: string, share: (work: Work) => Work])[] = [
  [
    'SingleFlight',
    (work) => {
      const flights = new SingleFlight(work);
      return (key) => flights.run(key);
    },
  ],
  [
    'AbortableSingleFlight',
    (work) => {
      const flights = new AbortableSingleFlight<number>();
      return (key) => flights.run(key, new AbortController().signal, () => work(key));
    },
  ],
];

describe.each(ways)('%s', (_, share) => {
  it('answers each call by work that begins after it, of each key one at a time and as few as that allows', async () => {
    const calls = fc.array(fc.constantFrom('a', 'a', 'a', 'b'), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), calls, async (scheduler, keys) => {
        let time = 0;
        const underWay = new Set<string>();
        const awaited = new Set<string>();
        let [begun, needed] = [0, 0];
        const run = share(async (key) => {
          expect(underWay).not.toContain(key);
          underWay.add(key);
          awaited.delete(key);
          begun += 1;
          const at = (time += 1);
          await scheduler.schedule(Promise.resolve(), `work on ${key}`);
          underWay.delete(key);
          return at;
        });
        const asked = keys.map(async (key) => {
          await scheduler.schedule(Promise.resolve(), `call of ${key}`);
          const since = time;
          if (!awaited.has(key)) needed += 1;
          awaited.add(key);
          expect(await run(key)).toBeGreaterThan(since);
        });
        await scheduler.waitFor(Promise.all(asked));
        expect(begun).toBe(needed);
      }),
    );
  });
});

it('a run that fails fails for those who share it, and the next one begins', async () => {
  const outcomes = [Promise.reject(new Error('no answer')), Promise.resolve(2)];
  const flights = new SingleFlight(() => outcomes.shift()!);
  const [first, second] = [flights.run('a'), flights.run('a')];
  await expect(first).rejects.toThrow('no answer');
  expect(await second).toBe(2);
});

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
