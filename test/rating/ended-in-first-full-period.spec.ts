import { describe, it } from '@jest/globals';
import { historyOf } from '../calculator/golden-history.js';
import { examplesOf } from '../golden/doc-examples.js';
import { proveScenario } from '../golden/prove-scenario.js';
import type { ScenarioModel } from '../golden/scenario-model.js';
import { expectSameBooks } from '../properties/whole-histories/same-books.js';

/**
 * Cases in the notation of docs/billing.md. The first full period in New York is from midnight of UTC on 1 February to
 * midnight of New York on 1 March: 677 hours, or 29 days.
 */
const CASES = `
# the fee of an add-on
\`\`\`yaml
plans: { A: { fee: 0.00 } }
addons:
  S: { fee: 677.00 }
steps:
  2026-01-01 subscribe A:
  2026-01-01 attach S: [677.00]
  2026-01-10 zone America/New_York:
  2026-02-01T00:31:00Z advance: [677.00]
  2026-02-02 end 2026-02-10 renewing: none
  2026-02-10T00:31:00Z advance: [216.00, -677.00, 461.00]
\`\`\`
# a fee with a fixed adjustment
\`\`\`yaml
plans:
  A: { fee: 677.00, adjustment: fixed -67.70 }
steps:
  2026-01-01 subscribe A: [609.30]
  2026-01-10 zone America/New_York:
  2026-02-01T00:31:00Z advance: [609.30]
  2026-02-02 end 2026-02-10 renewing: none
  2026-02-10T00:31:00Z advance: [194.40, -609.30, 414.90]
\`\`\`
# prepaid units
\`\`\`yaml
plans:
  A: { M: { tiers: [1.00], prepaid: 677 prorate } }
steps:
  2026-01-01 subscribe A: [677.00]
  2026-01-10 zone America/New_York:
  2026-02-01T00:31:00Z advance: [677.00]
  2026-02-02 end 2026-02-10 renewing: none
  2026-02-10T00:31:00Z advance: [-461.00, 461.00]
\`\`\`
# the level of a gauge over that period
\`\`\`yaml
metric: gauge total total/days
plans:
  A: { M: [677.00] }
steps:
  2026-01-01 subscribe A:
  2026-01-10 zone America/New_York:
  2026-02-01T00:40:00Z track 1 at 2026-02-01T00:00:00Z:
  2026-02-02 end 2026-02-10 renewing: none
  2026-02-10T00:31:00Z advance: [216.00]
  2026-03-01T05:31:00Z advance: [461.00]
\`\`\`
# days
\`\`\`yaml
org: { proration_basis: day }
plans:
  A: { fee: 29.00 }
steps:
  2026-01-01 subscribe A: [29.00]
  2026-01-10 zone America/New_York:
  2026-02-01T00:31:00Z advance: [29.00]
  2026-02-02 end 2026-02-10 renewing: none
  2026-02-10T00:31:00Z advance: [10.00, -29.00, 19.00]
\`\`\`
# hours east of the former zone
\`\`\`yaml
plans:
  A: { fee: 663.00 }
steps:
  2026-01-01 subscribe A: [663.00]
  2026-01-10 zone Asia/Tokyo:
  2026-02-01T00:31:00Z advance: [663.00]
  2026-02-02 end 2026-02-10 renewing: none
  2026-02-10T00:31:00Z advance: [216.00, -663.00, 447.00]
\`\`\`
# hours up to several ends, the first of them the boundary beside the start
\`\`\`yaml
plans:
  A: { fee: 677.00 }
steps:
  2026-01-01 subscribe A: [677.00]
  2026-01-10 zone America/New_York:
  2026-02-01T00:31:00Z advance: [677.00]
  2026-02-01T02:00:00Z end 2026-02-01T05:00:00Z renewing: none
  2026-02-01T05:31:00Z advance: [5.00, -677.00, 672.00]
  2026-02-02 end 2026-02-10 renewing: none
  2026-02-10T00:31:00Z advance: [211.00, -672.00, 461.00]
\`\`\`
# hours from before that boundary to the end of the period
\`\`\`yaml
plans:
  A: { fee: 677.00 }
steps:
  2026-01-01 subscribe A: [677.00]
  2026-01-10 zone America/New_York:
  2026-02-01T00:31:00Z advance: [677.00]
  2026-02-01T01:00:00Z end 2026-02-01T02:00:00Z renewing: none
  2026-02-01T02:31:00Z advance:
    { lines: [2.00, -677.00, 675.00], end_date: 2026-03-01T04:59:59.999999Z }
\`\`\`
# hours after a switch
\`\`\`yaml
plans: { A: { fee: 677.00 }, B: { fee: 1354.00 } }
steps:
  2026-01-01 subscribe A: [677.00]
  2026-01-10 zone America/New_York:
  2026-02-01T00:31:00Z advance: [677.00]
  2026-02-05 switch B: [96.00, -677.00, 1162.00]
  2026-02-06 end 2026-02-10 renewing: none
  2026-02-10T00:31:00Z advance: [240.00, -1162.00, 922.00]
\`\`\`
`;

/** Weeks that the plan counts from day 1: those of New York begin on 29 January and 5 February. */
const WEEKS = `
# weeks
\`\`\`yaml
plans:
  A: { plan_duration: null, recurring_charges: [{ amount: 7.00, reset_interval_unit: week }] }
  B: { plan_duration: null, day_anchor: 1, recurring_charges: [{ amount: 7.00, reset_interval_unit: week }] }
steps:
  2026-01-25 subscribe A: [7.00]
  2026-01-26 switch B: [1.00, -7.00, 6.00]
  2026-01-29 zone America/New_York:
  2026-02-01T00:31:00Z advance: { lines: [4.21], end_date: 2026-02-05T04:59:59.999999Z }
\`\`\`
`;

const prove = (model: ScenarioModel): void => {
  proveScenario(model);
  expectSameBooks(historyOf(model));
};

describe('a renewal after an end that was set in the first full period in another zone has the rest of (docs/billing.md#renewals)', () => {
  it.each(examplesOf(CASES))('$name', ({ content }) => prove(content as ScenarioModel));
});

it('weeks in another zone count from the day_anchor there, on the first renewal after a switch', () => {
  const [example] = examplesOf(WEEKS);
  prove(example!.content as ScenarioModel);
});
