import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { tries } from '../support/law-runs.js';
import { expectSound, simulations } from './histories.js';
import { simulate } from './simulation.js';

/** Number of histories: 25 in `npm test`, 250 in `npm run test:all`; `npm run explore` has 750 more (further-seeds.spec.ts). */
const HISTORIES = tries(1).numRuns > 1 ? 250 : 25;

describe('simulation of several processes with faults', () => {
  it('whatever fails, dies and is repeated, nothing is lost, done twice or wrong', () =>
    expectSound(HISTORIES));

  it('a seed decides a history to the byte', async () => {
    const hashes = async () => {
      const logs = [];
      for (const history of fc.sample(fc.tuple(...simulations()), { numRuns: 3, seed: 1 }))
        logs.push((await simulate(...history)).hash);
      return logs;
    };
    expect(await hashes()).toEqual(await hashes());
  });
});
