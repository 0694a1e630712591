import type { SigningKeyEvent } from '../../../src/transparency/domain/events.js';
import type { Shapes } from './shapes.js';

export const signingKeyShapes = {
  SigningKeysChanged: {
    publicKeys: [
      'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqo=',
      'A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=',
    ],
  },
} satisfies Shapes<SigningKeyEvent>;
