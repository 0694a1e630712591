import type { History } from './history.js';

/** What the engine does not do as billing.md says, and so is left out of histories: nothing is known. */
export const withoutKnownFaults = (history: History): History => history;
