import { describe, it } from '@jest/globals';
import { simulate } from './simulate.js';

/** `npm run explore` simulates them; `npm run test:all` simulates the first quarter of the thousand (simulation.spec.ts). */
describe('simulation of several processes with faults, further seeds', () => {
  it('whatever fails, dies and is repeated, nothing is lost, done twice or wrong', async () => {
    for (let seed = 251; seed <= 1_000; seed++) await simulate(seed);
  });
});
