import type { ComputedInvoice } from '../domain/events.js';
import type { RunResult } from '../domain/run-result.js';

export interface Verification {
  readonly ok: boolean;
  readonly fingerprint: string;
  readonly resultHash: string;
  readonly differences: readonly string[];
}

/** Does a recomputation from the same streams at the same revisions find what is stored? */
export function verifyInvoice(_stored: ComputedInvoice, _recomputed: RunResult): Verification {
  throw new Error('not written yet');
}
