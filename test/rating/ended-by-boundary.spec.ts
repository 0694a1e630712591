import { describe, expect, it } from '@jest/globals';
import { carriedOverAtSwitch } from '../../src/pricing/carried-over-proration.js';
import { billingPeriodsOf, resetWindowsOf } from '../../src/pricing/proration.js';
import { instant } from '../../src/kernel/instant.js';
import { renewalPeriod } from '../../src/kernel/period.js';
import { historyOf } from '../calculator/golden-history.js';
import { examplesOf } from '../golden/doc-examples.js';
import { proveScenario } from '../golden/prove-scenario.js';
import { Scenario } from '../golden/scenario.js';
import type { ScenarioModel } from '../golden/scenario-model.js';
import { expectSameBooks } from '../properties/whole-histories/same-books.js';
import { FORMER_RULES, withFormerRule } from '../support/former-rule.js';
import {
  aCharge,
  aComponent,
  aContent,
  aTerm,
  DAY,
  MONTH,
  perUnit,
  WEEK,
} from '../support/builders/billing.js';

/**
 * Cases in the notation of docs/billing.md. A renewal begins at midnight of UTC on 1 February; its windows count from midnight
 * of New York, 05:00Z, so its first week has 173 hours.
 */
const CASES = `
# a fee in arrears
\`\`\`yaml
plans:
  A:
    day_anchor: 1
    recurring_charges: [{ amount: 173.00, charge_timing: in_arrears, reset_interval_unit: week }]
steps:
  2026-01-30 subscribe A:
  2026-01-31 zone America/New_York:
  2026-02-01T00:31:00Z advance: [49.43]
  2026-02-01T02:00:00Z cancel: [2.00]
\`\`\`
# a fee in full
\`\`\`yaml
plans:
  A:
    day_anchor: 1
    recurring_charges: [{ amount: 7.00, charge_behavior: full, reset_interval_unit: week }]
    M: { tiers: [1.00], reset_interval_unit: week }
steps:
  2026-01-30 subscribe A:
  2026-01-31 zone America/New_York:
  2026-02-01T00:31:00Z advance: [7.00]
  2026-02-01T01:00:00Z track 5:
  2026-02-01T02:00:00Z cancel: [5.00]
\`\`\`
# prepaid units, and usage above them
\`\`\`yaml
plans:
  A:
    day_anchor: 1
    M: { tiers: [1.00], prepaid: 173 prorate, reset_interval_unit: week }
steps:
  2026-01-30 subscribe A:
  2026-01-31 zone America/New_York:
  2026-02-01T00:31:00Z advance: [173.00]
  2026-02-01T01:00:00Z track 180:
  2026-02-01T02:00:00Z cancel: [-171.00, 7.00]
\`\`\`
# an end that is set to the boundary itself
\`\`\`yaml
plans:
  A:
    day_anchor: 1
    recurring_charges: [{ amount: 173.00, reset_interval_unit: week }]
steps:
  2026-01-30 subscribe A:
  2026-01-31 zone America/New_York:
  2026-02-01T00:31:00Z advance: [173.00]
  2026-02-01T02:00:00Z end 2026-02-01T05:00:00Z: none
  2026-02-01T05:31:00Z advance: [5.00, -173.00]
\`\`\`
# a switch, and the new plan goes on
\`\`\`yaml
plans:
  A:
    day_anchor: 1
    recurring_charges: [{ amount: 173.00, reset_interval_unit: week }]
    M: { tiers: [1.00], reset_interval_unit: week }
  B:
    day_anchor: 1
    recurring_charges: [{ amount: 346.00, reset_interval_unit: week }]
    M: { tiers: [2.00], reset_interval_unit: week }
steps:
  2026-01-30 subscribe A:
  2026-01-31 zone America/New_York:
  2026-02-01T00:31:00Z advance: [173.00]
  2026-02-01T01:00:00Z track 5:
  2026-02-01T02:00:00Z switch B: [2.00, -173.00, 342.00]
  2026-02-01T04:00:00Z cancel: [4.00, -342.00, 10.00]
\`\`\`
# a switch after the end was set before the boundary
\`\`\`yaml
plans:
  A:
    day_anchor: 1
    recurring_charges: [{ amount: 173.00, reset_interval_unit: week }]
    M: { tiers: [1.00], reset_interval_unit: week }
  B:
    day_anchor: 1
    recurring_charges: [{ amount: 346.00, reset_interval_unit: week }]
    M: { tiers: [2.00], reset_interval_unit: week }
steps:
  2026-01-30 subscribe A:
  2026-01-31 zone America/New_York:
  2026-02-01T00:31:00Z advance: [173.00]
  2026-02-01T01:00:00Z track 5:
  2026-02-01T01:30:00Z end 2026-02-01T04:00:00Z: none
  2026-02-01T02:00:00Z switch B: [2.00, -173.00, 4.00]
  2026-02-01T04:31:00Z advance: [10.00]
\`\`\`
# usage that is invoiced on dates, the first of which is planned before the boundary
\`\`\`yaml
plans:
  A: { day_anchor: 1, M: { tiers: [1.00], invoicing_interval_unit: week } }
steps:
  2026-01-30 subscribe A:
  2026-01-31 zone America/New_York:
  2026-02-01T00:10:00Z track 5:
  2026-02-08T05:31:00Z advance: [5.00]
\`\`\`
# usage that bill_none drops at the boundary, which is no invoicing date
\`\`\`yaml
plans:
  A: { day_anchor: 1, M: { tiers: [1.00], invoicing_interval_unit: week } }
steps:
  2026-01-30 subscribe A:
  2026-01-31 zone America/New_York:
  2026-02-01T01:00:00Z track 5:
  2026-02-01T05:00:00Z cancel charge_prorated bill_none: none
\`\`\`
# by days, the day of New York that has begun
\`\`\`yaml
org: { proration_basis: day }
plans:
  A:
    day_anchor: 1
    recurring_charges: [{ amount: 8.00, charge_timing: in_arrears, reset_interval_unit: week }]
steps:
  2026-01-30 subscribe A:
  2026-01-31 zone America/New_York:
  2026-02-01T00:31:00Z advance: [2.29]
  2026-02-01T02:00:00Z cancel: [1.00]
\`\`\`
`;

describe('a renewal that ends by the boundary that its windows count from (docs/billing.md#renewals):', () => {
  it.each(examplesOf(CASES))('$name', ({ content }) => {
    proveScenario(content as ScenarioModel);
    expectSameBooks(historyOf(content as ScenarioModel));
  });
});

describe('a term that began under an earlier policy, and ends by that boundary', () => {
  const content = aContent({
    recurringCharges: [aCharge(), aCharge({ amount: '7.00', resetInterval: WEEK })],
    components: [
      aComponent(),
      aComponent({ metricName: 'seats', resetInterval: DAY }),
      aComponent({
        metricName: 'bought',
        resetInterval: WEEK,
        prepaid: { units: '10', behavior: 'prorate' },
        tiers: [perUnit('1.00')],
      }),
    ],
  });
  const start = instant('2026-02-01');
  const at = instant('2026-02-01T02:00:00Z');
  const termOf = (policy: string, prorationBasis: 'second' | 'day' = 'second') => {
    const { term } = aTerm(content, { prorationBasis });
    const zone = 'America/New_York';
    const firstFull = renewalPeriod(start, zone, MONTH, term.basis.anchor);
    const end = instant('2026-02-01T04:00:00Z');
    return { ...term, start, end, basis: { ...term.basis, policy, zone, firstFull } };
  };
  const usage = 'transfer_to_new_subscription' as const;
  const carried = (policy: string, prorationBasis?: 'day') =>
    carriedOverAtSwitch(termOf(policy, prorationBasis), content, at, { usage, billedAt: at });
  const seats = aComponent({ metricName: 'seats' }).metricId;

  it.each(['2026-1', '2026-4'])('has no reset windows by policy %s, so a switch passes none on', (policy) => {
    const term = termOf(policy);
    expect(resetWindowsOf(billingPeriodsOf(term, at)[0]!, WEEK, term)).toEqual([]);
    const { fees, units, usage: transferred } = carried(policy);
    expect(fees).toEqual([{ amount: '30.00', resetInterval: null, since: start }]);
    expect(units).toBeUndefined();
    expect(transferred).toEqual([{ metricId: aComponent().metricId, since: start }]);
    expect(carried(policy, 'day').usage).toEqual(transferred);
  });

  it('is switched without a charge or a reversal by such windows', async () => {
    const rule = FORMER_RULES.find(({ name }) => name === 'windowsNeedBoundary')!;
    const { content: found } = examplesOf(CASES).find(({ name }) =>
      name.startsWith('a switch after the end'),
    )!;
    const model = found as ScenarioModel;
    const since = model.steps.findIndex(({ do: step }) => step === 'switch');
    const issued = await withFormerRule(rule, () => {
      const scenario = new Scenario(model);
      return model.steps.map((step) => scenario.take(step)).slice(since);
    });
    expect(issued).toEqual([[], []]);
  });

  it('has them since policy 2026-5, and a switch passes them on', () => {
    const { fees, units, usage: transferred } = carried('2026-5');
    expect(fees[1]).toEqual({ amount: '7.00', resetInterval: WEEK, since: start });
    expect(units).toMatchObject([{ amount: '10', since: start }]);
    expect(transferred[1]).toEqual({ metricId: seats, since: start });
  });
});
