import { isEmpty } from '../../kernel/period.js';
import type { Switching } from '../../subscription/domain/subscription-state.js';
import type { RunTerm } from './run.js';

/**
 * Several switches at one instant equal one from first to last (docs/billing.md#plan-switches): what of a term's usage moves is
 * what the last of them takes over, whatever the plans without a length in between have.
 */
export function withEffectiveSwitches(terms: readonly RunTerm[]): readonly RunTerm[] {
  if (terms.every(({ switched }) => switched === undefined)) return terms;
  const plans = terms.filter(({ addon }) => addon === undefined);
  const byId = new Map(plans.map((runTerm) => [runTerm.term.subscriptionId, runTerm]));
  const lastOf = (switching: Switching): Switching => {
    const next = byId.get(switching.successor.subscriptionId);
    return next?.switched && isEmpty(next.term) ? lastOf(next.switched) : switching;
  };
  return terms.map((runTerm) => {
    const { switched } = runTerm;
    return switched ? { ...runTerm, switched: { ...switched, moved: lastOf(switched).moved } } : runTerm;
  });
}
