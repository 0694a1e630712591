import { beforeAll, describe, expect, it } from '@jest/globals';
import { crashRun, type CrashRun } from '../crash/crash-run.js';
import { deathsOf } from '../crash/moments.js';

/** More of them: `npm run crash -- --minutes 30`. */
const SEED = 20260101;

describe('a service that is killed at every step and started again', () => {
  let undisturbed: CrashRun;

  beforeAll(async () => {
    undisturbed = await crashRun([]);
    expect(undisturbed).toMatchObject({ deaths: [], broken: [], offTheLog: [] });
    expect(undisturbed.books.length).toBeGreaterThan(100);
  });

  it('loses nothing it acknowledged and does nothing twice', async () => {
    const deaths = deathsOf(SEED);
    const run = await crashRun(deaths);
    expect(run.untried).toEqual([]);
    expect(run.deaths).toHaveLength(deaths.length);
    expect(run.books).toEqual(undisturbed.books);
    expect(run.broken).toEqual([]);
    expect(run.offTheLog).toEqual([]);
    expect(run.told).toEqual(run.toTell);
  }, 1_200_000);
});
