import { describe, it } from '@jest/globals';
import { expectSound } from './histories.js';

/** `npm run explore` simulates them, each time others. */
describe('simulation of several processes with faults, further histories', () => {
  it('whatever fails, dies and is repeated, nothing is lost, done twice or wrong', () => expectSound(750));
});
