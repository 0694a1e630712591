import { describe, expect, it } from '@jest/globals';
import type { DueDate } from '../../src/billing/rating/run.js';
import type { RunAddon, RunTerm } from '../../src/billing/rating/run.js';
import { termBillingStatuses } from '../../src/billing/rating/compute-invoice.js';
import { namedId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { PRICING_POLICY } from '../../src/pricing/pricing-policy.js';
import { NO_TAX, aContent, aTerm } from '../support/builders/billing.js';

const due = (at: string, graced = true): DueDate => ({ at: instant(at), graced });
const term = (name: string) => aTerm(aContent(), { name, revision: '4' });
const addon = (of: RunTerm, name: string, endsWithTerm = true): RunTerm => ({
  ...of,
  addon: { addonSubscriptionId: namedId(name), endsWithTerm } as RunAddon,
});
const statuses = (terms: readonly (readonly [RunTerm, DueDate | null])[], asOf = '2026-01-10') =>
  termBillingStatuses(
    terms.map(([runTerm, next]) => ({ runTerm, next, due: [] })),
    { asOf: instant(asOf), organization: { settings: NO_TAX, revision: '0' }, policy: PRICING_POLICY },
  );

describe('the billing status of a term after a run', () => {
  it('is when it is billed next', () => {
    expect(statuses([[term('a'), due('2026-02-01')]])).toEqual([
      {
        subscriptionId: namedId('a'),
        revision: '4',
        nextDueAt: instant('2026-02-01'),
        nextDueGraced: true,
        settled: false,
      },
    ]);
  });

  it('is settled 30 days and the grace after its end, if nothing is left', () => {
    const settledAt = (asOf: string, next: DueDate | null = null) =>
      statuses([[term('a'), next]], asOf)[0]!.settled;
    expect(settledAt('2026-03-03T00:29:59.999999Z')).toBe(false);
    expect(settledAt('2026-03-03T00:30:00Z')).toBe(true);
    expect(settledAt('2026-03-04', due('2026-04-01'))).toBe(false);
    expect(statuses([[term('a'), null]])).toMatchObject([{ nextDueAt: null, nextDueGraced: false }]);
  });

  it('includes its own add-ons: the earliest date of all, the grace included', () => {
    const [a, b] = [term('a'), term('b')];
    const [first, other] = statuses([
      [a, due('2026-01-20')],
      [addon(a, 'support'), due('2026-01-20T00:10:00Z', false)],
      [addon(a, 'seats'), null],
      [b, due('2026-01-21')],
      [addon(b, 'calls'), due('2026-01-22')],
    ]);
    expect(first).toMatchObject({
      subscriptionId: namedId('a'),
      nextDueAt: instant('2026-01-20T00:10:00Z'),
      nextDueGraced: false,
      addons: [
        { addonSubscriptionId: namedId('support'), billed: false },
        { addonSubscriptionId: namedId('seats'), billed: false },
      ],
    });
    expect(other).toMatchObject({ subscriptionId: namedId('b'), nextDueAt: instant('2026-01-21') });
    expect(other!.addons).toHaveLength(1);
    expect(statuses([[a, null]])[0]).not.toHaveProperty('addons');
  });

  it('tells for an add-on that was cancelled on its own when all of it is billed', () => {
    const a = term('a');
    const billed = (next: DueDate | null, endsWithTerm: boolean) =>
      statuses([
        [a, null],
        [addon(a, 'support', endsWithTerm), next],
      ])[0]!.addons![0]!.billed;
    expect([billed(null, false), billed(null, true), billed(due('2026-02-01'), false)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
