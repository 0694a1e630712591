import { describe, expect, it } from '@jest/globals';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { withEffectiveSwitches } from '../../src/billing/rating/run-terms.js';
import { namedId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import type { CompletedSwitch } from '../../src/subscription/domain/term-state.js';
import { aContent, aTerm } from '../support/builders/billing.js';

const NOON = instant('2026-01-16T12:00:00Z');
const [calls, seats, bytes] = ['calls', 'seats', 'bytes'].map(namedId) as [string, string, string];

/** Returns a term that is switched at noon of the 16th to another term, which takes over these metrics. */
function switched(name: string, to: string, moved: readonly string[], start = '2026-01-01'): RunTerm {
  const own = aTerm(aContent(), { name, start, end: NOON });
  const successor = aTerm(aContent(), { name: to, start: NOON }).term;
  const switching: CompletedSwitch = {
    usage: 'transfer_to_new_subscription',
    invoicing: 'invoice_now',
    billedAt: NOON,
    periodEnd: instant('2026-02-01'),
    moved,
    successor,
  };
  return { ...own, endedBy: 'switched', switched: switching };
}
const movesOf = (terms: readonly RunTerm[]) =>
  withEffectiveSwitches(terms).map((term) => term.switched?.moved);

describe('several switches at one instant (docs/billing.md#plan-switches)', () => {
  const a = () => switched('a', 'b', [calls, seats]);
  const b = () => switched('b', 'c', [calls, bytes], NOON);
  const c = () => switched('c', 'd', [bytes], NOON);
  const last = () => aTerm(aContent(), { name: 'd', start: NOON });

  it('move what the last of them takes over', () => {
    expect(movesOf([a(), b(), c(), last()])).toEqual([[bytes], [bytes], [bytes], undefined]);
    expect(movesOf([last(), b(), a()])).toEqual([undefined, [calls, bytes], [calls, bytes]]);
  });

  it('are not those of a plan that lasted between them', () => {
    const lasting = switched('b', 'c', [bytes], '2026-01-10');
    expect(movesOf([a(), lasting])).toEqual([[calls, seats], [bytes]]);
  });

  it('are those of the plans: no add-on has such moves', () => {
    const addon = { ...b(), addon: {} } as unknown as RunTerm;
    expect(movesOf([a(), addon])[0]).toEqual([calls, seats]);
  });

  it('leave terms that nobody switched as they are', () => {
    const terms = [last()];
    expect(withEffectiveSwitches(terms)).toBe(terms);
  });
});
