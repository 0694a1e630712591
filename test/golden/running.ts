import type { RunTerm } from '../../src/billing/rating/run.js';
import type { PricedVersion } from '../../src/subscription/domain/term-periods.js';
import type { Subscription } from '../../src/subscription/domain/subscription-state.js';

export interface Running {
  state: Subscription;
  readonly offer: PricedVersion;
}

/** A term as a run reads it. */
export const runTermOf = ({
  state: { term, renewal, cancelled, switched, endMoved, prepaidChanges },
  offer: { content, contentHash },
}: Running): RunTerm => ({
  ...{ term, renewal, endMoved, prepaidChanges, revision: '0', content, contentHash },
  cut: cancelled ? 'cancelled' : switched ? 'switched' : null,
  ...(cancelled ? { cancelled } : {}),
  ...(switched ? { switched } : {}),
  ...{ planRevision: '1', planName: 'A', versionNumber: 1 },
});
