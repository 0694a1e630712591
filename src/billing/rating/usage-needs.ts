import type { RunData, UsageNeed } from './run.js';

/** The counts that a run at `asOf` has to make, in the order of terms and components. */
export function usageNeeded(_data: RunData): UsageNeed[] {
  throw new Error('not written yet');
}
