import { afterEach } from '@jest/globals';
import { takeFaults } from './faults.js';

/** Fails the test whose answers were not as the API document says. */
afterEach(() => {
  const faults = takeFaults();
  if (faults.length > 0)
    throw new Error(`Answers that the API document does not allow:\n${faults.join('\n')}`);
});
