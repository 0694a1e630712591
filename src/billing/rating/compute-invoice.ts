import type { RunResult } from '../domain/run-result.js';
import type { CountedUsage, RunData } from './run.js';

/** What should be charged by replay − what the account says was charged. `counted` answers `usageNeeded(data)`. */
export function computeInvoice(_data: RunData, _counted: readonly CountedUsage[]): RunResult {
  throw new Error('not written yet');
}

/** What a run would do, without doing it: the same function. */
export const previewInvoice = computeInvoice;
