import { describe, it } from '@jest/globals';
import { simulate } from './simulate.js';

/** The second half of a thousand; `npm run explore` simulates it, `npm run test:all` the first (simulation.spec.ts). */
describe('simulation of several processes with faults, further seeds', () => {
  it('whatever fails, dies and is repeated, nothing is lost, done twice or wrong', async () => {
    for (let seed = 501; seed <= 1_000; seed++) await simulate(seed);
  });
});
