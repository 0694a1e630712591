import { describe, it } from '@jest/globals';
import { examplesOf } from '../golden/doc-examples.js';
import { proveScenario } from '../golden/prove-scenario.js';
import type { ScenarioModel } from '../golden/scenario-model.js';

/** Cases in the notation of docs/billing.md. */
const CASES = `
# a fee in arrears
\`\`\`yaml
org: { proration_basis: day }
plans:
  A: { fee: 31.00 in_arrears }
steps:
  2026-01-01 subscribe A:
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-20T12:31:00Z advance: [20.00]
  2026-02-01T00:31:00Z advance: [11.00]
\`\`\`
# prepaid units
\`\`\`yaml
org: { proration_basis: day }
plans:
  A: { M: { tiers: [1.00], prepaid: 31 prorate } }
steps:
  2026-01-01 subscribe A: [31.00]
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-20T12:31:00Z advance: [-11.00, 11.00]
\`\`\`
# prepaid units of a week
\`\`\`yaml
org: { proration_basis: day }
plans:
  A: { M: { tiers: [1.00], prepaid: 7 prorate, reset_interval_unit: week } }
steps:
  2026-01-01 subscribe A: [7.00]
  2026-01-16 end 2026-01-20T12:00:00Z renewing:
  2026-01-20T12:31:00Z advance: [-1.00, 6.00]
  2026-01-27T00:31:00Z advance: [5.00]
\`\`\`
# an override
\`\`\`yaml
org: { proration_basis: day }
plans:
  A: { fee: 62.00, adjustment: price_override 31 }
steps:
  2026-01-01 subscribe A: [31.00]
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-20T12:31:00Z advance: [20.00, -31.00, 11.00]
\`\`\`
# an add-on
\`\`\`yaml
org: { proration_basis: day }
plans:
  A: { fee: 62.00 in_arrears }
addons:
  S: { fee: 31.00 }
steps:
  2026-01-01 subscribe A:
  2026-01-01 attach S: [31.00]
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-20T12:31:00Z advance: [40.00, 20.00, -31.00, 11.00]
  2026-01-20T20:00:00Z cancel: [-11.00]
\`\`\`
# a second end on the same day
\`\`\`yaml
org: { proration_basis: day }
plans:
  A: { fee: 31.00 }
steps:
  2026-01-01 subscribe A: [31.00]
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-20T12:31:00Z advance: [20.00, -31.00, 11.00]
  2026-01-20T13:00:00Z end 2026-01-20T20:00:00Z renewing:
  2026-01-20T20:31:00Z advance: [-11.00, 11.00]
\`\`\`
# a switch on the day of the renewal
\`\`\`yaml
org: { proration_basis: day }
plans:
  A: { fee: 31.00 }
  B: { fee: 62.00 }
steps:
  2026-01-01 subscribe A: [31.00]
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-20T12:31:00Z advance: [20.00, -31.00, 11.00]
  2026-01-20T18:00:00Z switch B: [-11.00, 22.00]
\`\`\`
# a switch on the first day that the renewal is charged for
\`\`\`yaml
org: { proration_basis: day }
plans:
  A: { fee: [30.00 full, 31.00], M: { tiers: [1.00], prepaid: 5 full } }
  B: { fee: 62.00 }
steps:
  2026-01-01 subscribe A: [30.00, 31.00, 5.00]
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-20T12:31:00Z advance: [20.00, -31.00, 30.00, 11.00, 5.00]
  2026-01-21T10:00:00Z switch B: [-30.00, -11.00, -5.00, 22.00]
\`\`\`
# an add-on that is attached on the day of the renewal, charged from that day on
\`\`\`yaml
org: { proration_basis: day }
plans:
  A: { fee: 31.00 in_arrears }
addons:
  S: { fee: 31.00 }
steps:
  2026-01-01 subscribe A:
  2026-01-02 end 2026-01-20T12:00:00Z renewing:
  2026-01-20T12:31:00Z advance: [20.00]
  2026-01-20T18:00:00Z attach S: [12.00]
\`\`\`
# an end at midnight of the time zone, with the day after it
\`\`\`yaml
org: { proration_basis: day }
customer: { timezone: Europe/Warsaw }
plans:
  A: { day_anchor: 1, fee: 31.00 }
steps:
  2026-01-01 subscribe A: [31.00]
  2026-01-02 end 2026-01-19T23:00:00Z renewing:
  2026-01-19T23:31:00Z advance: [19.00, -31.00, 12.00]
\`\`\`
# days of a window that was over before a switch, in full
\`\`\`yaml
org: { proration_basis: day }
plans:
  A: { M: { tiers: [1.00], prepaid: 5 full, reset_interval_unit: day } }
  B: { fee: 62.00 }
steps:
  2026-01-30 subscribe A: [5.00]
  2026-01-30T01:00:00Z end 2026-01-30T12:00:00Z renewing:
  2026-01-30T12:31:00Z advance: [5.00]
  2026-01-31T00:31:00Z advance: [5.00]
  2026-01-31T12:00:00Z switch B: [-5.00, 59.86]
\`\`\`
`;

describe('a day on which a renewal begins is charged once (docs/billing.md#day-basis):', () => {
  it.each(examplesOf(CASES))('$name', ({ content }) => proveScenario(content as ScenarioModel));
});
