import { describe, it } from '@jest/globals';
import { historyOf } from '../calculator/golden-history.js';
import { examplesOf } from '../golden/doc-examples.js';
import { proveScenario } from '../golden/prove-scenario.js';
import type { ScenarioModel } from '../golden/scenario-model.js';
import { expectSameBooks } from '../properties/whole-histories/same-books.js';

/** Cases in the notation of docs/billing.md: rates of add-ons that a switch with `keep_separate` moves. */
const RATES = `
# looks back across the start of a window that began before the switch
\`\`\`yaml
metric: rate sum hours
plans: { A: { fee: 0.00 }, B: { fee: 0.00 } }
addons:
  U: { M: { tiers: [1.00], reset_interval_unit: week } }
steps:
  2026-01-01 subscribe A:
  2026-01-01 attach U: none
  2026-01-07T23:30:00Z track 5:
  2026-01-08T00:15:00Z track 7:
  2026-01-10 switch B keep_separate: none
  2026-02-01T00:31:00Z advance: [5.00, 12.00]
\`\`\`
# still does after a second switch, and a renewal between them
\`\`\`yaml
metric: rate sum hours
plans: { A: { fee: 0.00 }, B: { fee: 0.00 }, C: { fee: 0.00 } }
addons:
  U: { M: [1.00] }
steps:
  2026-01-01 subscribe A:
  2026-01-01 attach U: none
  2026-01-10 switch B keep_separate: none
  2026-01-31T23:30:00Z track 5:
  2026-02-01T00:15:00Z track 7:
  2026-02-10 switch C keep_separate: [5.00]
  2026-03-01T00:31:00Z advance: [12.00]
\`\`\`
# looks back to the switch if it is attached after it
\`\`\`yaml
metric: rate sum hours
plans: { A: { fee: 0.00 }, B: { fee: 0.00 } }
addons:
  U: { M: [1.00] }
steps:
  2026-01-01 subscribe A:
  2026-01-10T09:45:00Z track 5:
  2026-01-10T10:00:00Z switch B keep_separate: none
  2026-01-10T10:02:00Z track 1:
  2026-01-10T10:05:00Z attach U: none
  2026-01-10T10:15:00Z track 7:
  2026-02-01T00:31:00Z advance: [8.00]
\`\`\`
# bills nothing back where late usage lets a window be counted again
\`\`\`yaml
metric: rate sum hours
plans: { A: { fee: 0.00 }, B: { fee: 0.00 } }
addons:
  U: { M: { tiers: [1.00], reset_interval_unit: week, invoicing_interval_unit: week } }
steps:
  2026-01-01 subscribe A:
  2026-01-01 attach U: none
  2026-01-07T23:30:00Z track 5:
  2026-01-08T00:15:00Z track 7:
  2026-01-09 advance: [5.00]
  2026-01-16 advance: [12.00]
  2026-01-20 switch B keep_separate: none
  2026-01-23 track 1 at 2026-01-09T12:00:00Z:
  2026-01-23T01:00:00Z advance: none
\`\`\`
`;

/** Cases whose first full period in another time zone is over at the switch. */
const ZONES = `
# is charged once, and nothing at its end, west of the former zone
\`\`\`yaml
plans: { A: { fee: 0.00 }, B: { fee: 0.00 }, C: { fee: 0.00 } }
addons:
  S: { fee: 30.00 }
steps:
  2026-01-01 subscribe A:
  2026-01-01 attach S: [30.00]
  2026-01-10 zone America/New_York:
  2026-02-02 end 2026-04-01T04:00:00Z: [30.00]
  2026-03-02 advance: [30.00]
  2026-03-10 switch B: none
  2026-03-11 switch C: none
  2026-04-02 advance: none
\`\`\`
# is charged once, and nothing at its end, east of it
\`\`\`yaml
plans: { A: { fee: 0.00 }, B: { fee: 0.00 } }
addons:
  S: { fee: 30.00 }
steps:
  2026-01-01 subscribe A:
  2026-01-01 attach S: [30.00]
  2026-01-10 zone Asia/Tokyo:
  2026-02-02 end 2026-03-31T15:00:00Z: [30.00]
  2026-03-02 advance: [30.00]
  2026-03-10 switch B: none
  2026-04-02 advance: none
\`\`\`
# keeps the share of that period from its attachment on
\`\`\`yaml
plans: { A: { fee: 0.00 }, B: { fee: 0.00 } }
addons:
  S: { fee: 677.00 }
steps:
  2026-01-01 subscribe A:
  2026-01-10 zone America/New_York:
  2026-02-01T01:00:00Z attach S: [676.00]
  2026-02-02 end 2026-04-01T04:00:00Z: none
  2026-03-02 advance: [677.00]
  2026-03-10 switch B: none
  2026-04-02 advance: none
\`\`\`
# keeps its windows
\`\`\`yaml
plans: { A: { fee: 0.00 }, B: { fee: 0.00 } }
addons:
  S:
    recurring_charges: [{ amount: 7.00, charge_timing: in_arrears, reset_interval_unit: week }]
steps:
  2026-01-01 subscribe A:
  2026-01-10 zone America/New_York:
  2026-02-01T00:00:00Z attach S: none
  2026-02-02 end 2026-04-01T04:00:00Z: none
  2026-03-02 advance: [7.00, 7.00, 7.00, 7.00]
  2026-03-10 switch B: none
  2026-04-02 advance: [7.00, 7.00, 7.00, 7.00, 3.00]
\`\`\`
# keeps the dates on which its usage is invoiced
\`\`\`yaml
plans: { A: { fee: 0.00 }, B: { fee: 0.00 } }
addons:
  S: { M: { tiers: [1.00], invoicing_interval_unit: month } }
steps:
  2026-01-01 subscribe A:
  2026-01-10 zone America/New_York:
  2026-02-01T00:00:00Z attach S: none
  2026-02-02 end 2026-06-01T04:00:00Z: none
  2026-03-10 switch B: none
  2026-03-12 track 5:
  2026-03-31T12:00:00Z advance: none
  2026-04-01T04:31:00Z advance: [5.00]
\`\`\`
# leaves those of the plan as they were, too
\`\`\`yaml
plans:
  A: { plan_duration: quarterly, M: { tiers: [1.00], invoicing_interval_unit: month } }
  B: { plan_duration: quarterly, M: { tiers: [2.00], invoicing_interval_unit: month } }
steps:
  2026-01-01 subscribe A:
  2026-01-10 zone America/New_York:
  2026-04-02 end 2026-10-01T04:00:00Z: none
  2026-07-10 switch B: none
  2026-07-12 track 5:
  2026-07-31T12:00:00Z advance: none
  2026-08-01T04:31:00Z advance: [10.00]
\`\`\`
`;

const prove = (model: ScenarioModel): void => {
  proveScenario(model);
  expectSameBooks(historyOf(model));
};

describe('the rate of an add-on that a switch moved (docs/billing.md#rates)', () => {
  it.each(examplesOf(RATES))('$name', ({ content }) => prove(content as ScenarioModel));
});

describe('an add-on that a switch moved in a changed time zone (docs/billing.md#renewals)', () => {
  it.each(examplesOf(ZONES))('$name', ({ content }) => prove(content as ScenarioModel));
});
