/**
 * Specs of money, periods and rating, in one file. A mutant runs against the tests that reach it, and most of its time is
 * the loading of the code, which one file does once. The specs that kill most mutants come first and the laws last, as the
 * first failure ends a run. Specs of account snapshots are left out, as they take seconds and test the account. So is
 * test/golden/billing-doc.spec.ts, which would parse the examples of docs/billing.md from YAML in every run.
 */
import '../kernel/money.spec.js';
import '../kernel/period.spec.js';

import '../rating/addon-members.spec.js';
import '../rating/adjustments.spec.js';
import '../rating/billing-periods.spec.js';
import '../rating/amount-limits.spec.js';
import '../rating/by-tax-rate.spec.js';
import '../rating/cancel.spec.js';
import '../rating/bulk-run.spec.js';
import '../rating/charges.spec.js';
import '../rating/check-tiers.spec.js';
import '../rating/closed-periods.spec.js';
import '../rating/gauge-checkpoints.spec.js';
import '../rating/compute.spec.js';
import '../rating/compute-evidence.spec.js';
import '../rating/compute-intermediate.spec.js';
import '../rating/carried-over-proration.spec.js';
import '../rating/covered-units.spec.js';
import '../rating/credit-line.spec.js';
import '../rating/reversal.spec.js';
import '../rating/reversal-tax.spec.js';
import '../rating/last-period.spec.js';
import '../rating/late-usage.spec.js';
import '../rating/line-order.spec.js';
import '../rating/transferred-usage.spec.js';
import '../rating/uncharged-units.spec.js';
import '../rating/next-run.spec.js';
import '../rating/prepaid.spec.js';
import '../rating/prepaid-endings.spec.js';
import '../rating/prepaid-units.spec.js';
import '../rating/proration.spec.js';
import '../rating/purchase-invoice.spec.js';
import '../rating/running-window.spec.js';
import '../rating/schedule.spec.js';
import '../rating/schedule-endings.spec.js';
import '../rating/netting.spec.js';
import '../rating/settle-total.spec.js';
import '../rating/settled-terms.spec.js';
import '../rating/earlier-due-date.spec.js';
import '../rating/switched-addons.spec.js';
import '../rating/switched-terms.spec.js';
import '../rating/tax.spec.js';
import '../rating/term-billing-status.spec.js';
import '../rating/tiers.spec.js';
import '../rating/usage-needs.spec.js';
import '../rating/verify.spec.js';
import '../rating/void.spec.js';
import '../domain/subscription/switch-plan.spec.js';
import '../domain/access/usage-question.spec.js';
import '../golden/scenario.spec.js';
import '../golden/rating.spec.js';
import '../golden/periods.spec.js';
import '../golden/proration.spec.js';
import '../properties/money.laws.spec.js';
import '../properties/period.laws.spec.js';
import '../properties/rating.laws.spec.js';
import '../properties/renewal.spec.js';
import '../properties/usage.laws.spec.js';
import '../properties/billing.laws.spec.js';
import '../properties/command.laws.spec.js';
import '../properties/switch.laws.spec.js';
