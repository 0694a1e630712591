import { describe, it } from '@jest/globals';
import { examplesOf } from '../golden/doc-examples.js';
import { proveScenario } from '../golden/prove-scenario.js';
import type { ScenarioModel } from '../golden/scenario-model.js';

/** Cases in the notation of docs/billing.md. */
const CASES = `
# prepaid units over renewals
\`\`\`yaml
plans:
  A: { M: { tiers: [1.00], prepaid: 10 prorate } }
steps:
  2026-04-01 subscribe A: [10.00]
  2026-04-02 end 2026-04-11 renewing:
  2026-04-11T00:31:00Z advance: [-6.67, 6.67]
  2026-04-12 end 2026-04-21 renewing:
  2026-04-21T00:31:00Z advance: [-3.33, 3.33]
\`\`\`
# prepaid units of a week over switches
\`\`\`yaml
plans:
  A: { M: { tiers: [1.00], prepaid: 10 prorate, reset_interval_unit: week } }
  B: { M: { tiers: [1.00], prepaid: 10 prorate, reset_interval_unit: week } }
steps:
  2026-04-01 subscribe A: [10.00]
  2026-04-03 switch B: [-7.14, 7.14]
  2026-04-06 switch A: [-2.86, 2.86]
\`\`\`
# prepaid units at other tiers of the same price
\`\`\`yaml
plans:
  A: { M: { tiers: [1.00], prepaid: 10 prorate } }
  B: { M: { tiers: [free to 5, 2.00], prepaid: 10 prorate } }
steps:
  2026-04-01 subscribe A: [10.00]
  2026-04-11 switch B: [-6.67, 6.67]
  2026-04-21 switch A: [-3.33, 3.33]
\`\`\`
# prepaid units from their last change on
\`\`\`yaml
plans:
  A: { M: { tiers: [1.00], prepaid: 10 prorate } }
  B: { M: { tiers: [1.00], prepaid: 10 prorate } }
steps:
  2026-04-01 subscribe A: [10.00]
  2026-04-11 units 20: [6.67]
  2026-04-21 switch B: [-6.67, 6.66]
\`\`\`
# prepaid units up to a change
\`\`\`yaml
plans:
  A: { M: { tiers: [1.00], prepaid: 10 prorate } }
  B: { M: { tiers: [1.00], prepaid: 10 prorate } }
steps:
  2026-04-01 subscribe A: [10.00]
  2026-04-11 switch B: [-6.67, 6.67]
  2026-04-21 units 40: [10.00]
  2026-04-26 units 10: [-5.00]
  2026-05-01T00:31:00Z advance: [10.00]
\`\`\`
# no prepaid units at another price or another reset interval
\`\`\`yaml
plans:
  A: { M: { tiers: [1.00], prepaid: 10 prorate } }
  B: { M: { tiers: [2.00], prepaid: 10 prorate } }
  C: { M: { tiers: [2.00], prepaid: 10 prorate, reset_interval_unit: month } }
steps:
  2026-04-01 subscribe A: [10.00]
  2026-04-11 switch B: [-6.67, 13.33]
  2026-04-21 switch C: [-6.66, 6.67]
\`\`\`
# an add-on over a switch and renewals
\`\`\`yaml
plans:
  A: { fee: 30.00 in_arrears full }
  B: { fee: 60.00 in_arrears full }
addons:
  S: { fee: 10.00 }
steps:
  2026-04-01 subscribe A:
  2026-04-01 attach S: [10.00]
  2026-04-02 end 2026-04-11 renewing:
  2026-04-11T00:31:00Z advance: [30.00, 3.33, -10.00, 6.67]
  2026-04-15 switch B: [30.00]
  2026-04-16 end 2026-04-21 renewing:
  2026-04-21T00:31:00Z advance: [60.00, 3.34, -6.67, 3.33]
\`\`\`
# an add-on of an earlier period, from the start of the period on
\`\`\`yaml
plans:
  A: { fee: 30.00 in_arrears full }
addons:
  S: { fee: 10.00 }
steps:
  2026-03-01 subscribe A:
  2026-03-01 attach S: [10.00]
  2026-03-02 end 2026-04-11 renewing:
  2026-04-01T00:31:00Z advance: [30.00, 3.33]
  2026-04-11T00:31:00Z advance: [30.00, 6.67]
  2026-04-12 end 2026-04-21 renewing:
  2026-04-21T00:31:00Z advance: [30.00, 3.34, -6.67, 3.33]
\`\`\`
# the prorated fee of an add-on alone: a renewal charges a full one again
\`\`\`yaml
plans:
  A: { fee: 30.00 in_arrears full }
addons:
  S: { fee: [1.00, 10.00 full] }
steps:
  2026-04-01 subscribe A:
  2026-04-01 attach S: [1.00, 10.00]
  2026-04-02 end 2026-04-11 renewing:
  2026-04-11T00:31:00Z advance: [30.00, 0.33, -1.00, 0.67, 10.00]
\`\`\`
`;

describe('parts of one full period are rounded cumulatively (docs/billing.md#cumulative-rounding):', () => {
  it.each(examplesOf(CASES))('$name', ({ content }) => proveScenario(content as ScenarioModel));
});
