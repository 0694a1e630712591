import { describe, it } from '@jest/globals';
import { historyOf } from '../calculator/golden-history.js';
import { examplesOf } from '../golden/doc-examples.js';
import { proveScenario } from '../golden/prove-scenario.js';
import type { ScenarioModel } from '../golden/scenario-model.js';
import { expectSameBooks } from '../properties/whole-histories/same-books.js';

/** Cases in the notation of docs/billing.md: terms of a quarter whose January is over when they are cancelled. */
const CASES = `
# refund keeps a window that was charged in advance
\`\`\`yaml
plans:
  A:
    plan_duration: quarterly
    recurring_charges: [{ amount: 30.00, reset_interval_unit: month }]
    M: { tiers: [1.00], reset_interval_unit: month }
steps:
  2026-01-01 subscribe A: [30.00]
  2026-01-20 track 5:
  2026-02-01 cancel refund: [5.00]
\`\`\`
# refund charges nothing for a window whose last second is left
\`\`\`yaml
plans:
  A:
    plan_duration: quarterly
    recurring_charges: [{ amount: 30.00, charge_timing: in_arrears, reset_interval_unit: month }]
steps:
  2026-01-01 subscribe A:
  2026-01-31T23:59:59Z cancel refund: none
\`\`\`
# charge_full adds nothing to a part that an add-on had of a window
\`\`\`yaml
plans:
  A: { plan_duration: quarterly, fee: 90.00 in_arrears }
addons:
  S:
    recurring_charges: [{ amount: 28.00, charge_timing: in_arrears, reset_interval_unit: month }]
steps:
  2026-01-01 subscribe A:
  2026-01-04 attach S: none
  2026-02-04 cancel charge_full: [90.00, 28.00]
\`\`\`
# bill_none drops a window whose invoicing date is ahead
\`\`\`yaml
plans:
  A: { plan_duration: quarterly, M: { tiers: [1.00], reset_interval_unit: month } }
steps:
  2026-01-01 subscribe A:
  2026-01-20 track 5:
  2026-02-01 cancel charge_prorated bill_none: none
\`\`\`
# bill_none bills a part of a window up to an invoicing date
\`\`\`yaml
plans:
  A: { plan_duration: quarterly, M: { tiers: [1.00], invoicing_interval_unit: month } }
steps:
  2026-01-01 subscribe A:
  2026-01-20 track 5:
  2026-02-01 cancel charge_prorated bill_none: [5.00]
\`\`\`
# by days, a window that was over has no day of the next period
\`\`\`yaml
org: { proration_basis: day }
plans:
  A:
    plan_duration: monthly
    recurring_charges: [{ amount: 7.00, charge_timing: in_arrears, reset_interval_unit: week }]
steps:
  2026-01-01 subscribe A:
  2026-01-02 end 2026-03-15: none
  2026-02-01 cancel: [7.00, 7.00, 7.00, 7.00, 3.00]
\`\`\`
# bill_none drops usage one second before the invoicing date
\`\`\`yaml
plans:
  A: { plan_duration: quarterly, M: { tiers: [1.00], invoicing_interval_unit: month } }
steps:
  2026-01-01 subscribe A:
  2026-01-20 track 5:
  2026-01-31T23:59:59Z cancel charge_prorated bill_none: none
\`\`\`
`;

describe('a cancellation at the end of a window (docs/billing.md#cancellation):', () => {
  it.each(examplesOf(CASES))('$name', ({ content }) => {
    proveScenario(content as ScenarioModel);
    expectSameBooks(historyOf(content as ScenarioModel));
  });
});
