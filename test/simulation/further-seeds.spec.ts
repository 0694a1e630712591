import { describe, it } from '@jest/globals';
import { expectSound } from './histories.js';

/** Random histories that differ in each run of `npm run explore`. */
describe('simulation of several processes with faults, further histories', () => {
  it('whatever fails, dies and is repeated, nothing is lost, done twice or wrong', () => expectSound(750));
});
