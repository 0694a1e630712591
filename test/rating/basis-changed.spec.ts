import { describe, expect, it } from '@jest/globals';
import { instant } from '../../src/kernel/instant.js';
import { fractionOf } from '../../src/kernel/period.js';
import { add, ONE, ratio, ZERO } from '../../src/kernel/quantity.js';
import { examplesOf } from '../golden/doc-examples.js';
import { proveScenario } from '../golden/prove-scenario.js';
import type { ScenarioModel } from '../golden/scenario-model.js';

/** Cases in the notation of docs/billing.md: a term by seconds ends at noon, and its renewal counts days. */
const CASES = `
# in arrears
\`\`\`yaml
plans:
  A: { fee: 31.00 in_arrears }
steps:
  2026-01-01 subscribe A:
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-03 basis day:
  2026-01-20T12:31:00Z advance: [19.50]
  2026-02-01T00:31:00Z advance: [11.50]
\`\`\`
# cancelled on the day of the renewal
\`\`\`yaml
plans:
  A: { fee: 31.00 in_arrears }
steps:
  2026-01-01 subscribe A:
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-03 basis day:
  2026-01-20T12:31:00Z advance: [19.50]
  2026-01-20T18:00:00Z cancel: [0.50]
\`\`\`
# switched on the day of the renewal
\`\`\`yaml
plans:
  A: { fee: 31.00 }
  B: { fee: 62.00 }
steps:
  2026-01-01 subscribe A: [31.00]
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-03 basis day:
  2026-01-20T12:31:00Z advance: [19.50, -31.00, 11.50]
  2026-01-20T18:00:00Z switch B: [-11.50, 23.00]
\`\`\`
# switched later to the same price
\`\`\`yaml
plans:
  A: { fee: 10.00 in_arrears }
  B: { fee: 10.00 in_arrears }
steps:
  2026-01-01 subscribe A:
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-03 basis day:
  2026-01-20T12:31:00Z advance: [6.29]
  2026-01-25T18:00:00Z switch B: [1.45]
  2026-02-01T00:31:00Z advance: [2.26]
\`\`\`
# ended again on the day of the renewal
\`\`\`yaml
plans:
  A: { fee: 31.00 in_arrears }
steps:
  2026-01-01 subscribe A:
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-03 basis day:
  2026-01-20T12:31:00Z advance: [19.50]
  2026-01-20T13:00:00Z end 2026-01-20T20:00:00Z renewing:
  2026-01-20T20:31:00Z advance: [0.50]
  2026-02-01T00:31:00Z advance: [11.00]
\`\`\`
# prepaid units
\`\`\`yaml
plans:
  A: { M: { tiers: [1.00], prepaid: 31 prorate } }
steps:
  2026-01-01 subscribe A: [31.00]
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-03 basis day:
  2026-01-20T12:31:00Z advance: [-11.50, 11.50]
\`\`\`
# windows of a week, which begin anew
\`\`\`yaml
plans:
  A: { M: { tiers: [1.00], prepaid: 7 prorate, reset_interval_unit: week } }
steps:
  2026-01-01 subscribe A: [7.00]
  2026-01-16 end 2026-01-20T12:00:00Z renewing:
  2026-01-17 basis day:
  2026-01-20T12:31:00Z advance: [-1.50, 6.50]
\`\`\`
# an add-on
\`\`\`yaml
plans:
  A: { fee: 62.00 in_arrears }
addons:
  S: { fee: 31.00 }
steps:
  2026-01-01 subscribe A:
  2026-01-01 attach S: [31.00]
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-03 basis day:
  2026-01-20T12:31:00Z advance: [39.00, 19.50, -31.00, 11.50]
\`\`\`
# an override
\`\`\`yaml
plans:
  A: { fee: 62.00, adjustment: price_override 31 }
steps:
  2026-01-01 subscribe A: [31.00]
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-03 basis day:
  2026-01-20T12:31:00Z advance: [19.50, -31.00, 11.50]
\`\`\`
# a month with a day of 23 hours
\`\`\`yaml
customer: { timezone: Europe/Warsaw }
plans:
  A: { fee: 743.00 in_arrears }
steps:
  2026-02-28T23:00:00Z subscribe A:
  2026-03-01 end 2026-03-30T10:00:00Z renewing:
  2026-03-02 basis day:
  2026-03-30T10:31:00Z advance: [707.00]
  2026-03-31T22:31:00Z advance: [36.00]
\`\`\`
# the other way: the day that was counted is left out
\`\`\`yaml
org: { proration_basis: day }
plans:
  A: { fee: 31.00 in_arrears }
steps:
  2026-01-01 subscribe A:
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-03 basis second:
  2026-01-20T12:31:00Z advance: [20.00]
  2026-02-01T00:31:00Z advance: [11.00]
\`\`\`
`;

describe('a renewal in another proration basis continues its period (docs/billing.md#day-basis):', () => {
  it.each(examplesOf(CASES))('$name', ({ content }) => proveScenario(content as ScenarioModel));
});

describe('a fraction by days after a part by seconds', () => {
  const full = { start: instant('2026-03-01'), end: instant('2026-04-01') };
  const secondsUntil = instant('2026-03-20T06:00:00Z');
  const fraction = (start: string, end: string, endDay: 'used' | 'next' = 'next') =>
    fractionOf({ start: instant(start), end: instant(end) }, full, 'day', 'UTC', { endDay, secondsUntil });

  it('is elapsed time up to there, and with the rest makes the whole', () => {
    expect(fraction('2026-03-01', secondsUntil)).toEqual(ratio(77n, 124n));
    expect(add(fraction('2026-03-01', secondsUntil), fraction(secondsUntil, '2026-04-01'))).toEqual(ONE);
  });

  it('has the rest of the day where that day is used, and nothing of it where it is the next plan’s', () => {
    expect(fraction(secondsUntil, '2026-03-20T12:00:00Z', 'used')).toEqual(ratio(3n, 124n));
    expect(fraction(secondsUntil, '2026-03-20T12:00:00Z')).toEqual(ZERO);
  });

  it('counts later days whole', () =>
    expect(fraction('2026-03-21T15:00:00Z', '2026-03-23')).toEqual(ratio(2n, 31n)));
});
