import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FIRST_POLICY, POLICY, policyOf } from '../../../src/pricing/policy.js';
import type { History } from '../../calculator/history.js';
import { allHistories, expectSameBooks } from './same-books.js';

/** Histories of one seed, by index: other indexes follow when `histories.ts` draws other values. */
const drawn = fc.sample(allHistories, { seed: 20261125, numRuns: 203 });
const NOTICED_BY = {
  term: { total: 29, monthsOfWindows: 163, rateLooksBeforeStart: 201, fullNeedsTime: 2 },
  invoice: { cancellationSettles: 45 },
} as const;

const cases = Object.entries(NOTICED_BY).flatMap(([kind, rules]) =>
  Object.entries(rules).map(([rule, index]) => ({
    kind: kind as keyof typeof NOTICED_BY,
    rule,
    history: drawn[index]!,
  })),
);

/** Runs `work` with one rule of the policy as the first policy has it. */
function withFormerRule(kind: keyof typeof NOTICED_BY, rule: string, work: () => void): void {
  const rules: Record<string, unknown> = policyOf(POLICY)[kind] as never;
  const former: Record<string, unknown> = policyOf(FIRST_POLICY)[kind] as never;
  const kept = rules[rule];
  rules[rule] = former[rule];
  try {
    work();
  } finally {
    rules[rule] = kept;
  }
}

describe('the comparison of engine and calculator', () => {
  it.each(cases)('notices $rule of the former policy', ({ kind, rule, history }) => {
    const compare = (of: History) => expectSameBooks(of);
    expect(compare(history)).toBeGreaterThan(0);
    withFormerRule(kind, rule, () => expect(() => compare(history)).toThrow());
  });
});
