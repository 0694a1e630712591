import { describe, expect, it } from '@jest/globals';
import { FORMER_RULES, withFormerRule } from '../../support/former-rule.js';
import { docHistories } from './doc-histories.js';
import { expectSameBooks } from './same-books.js';

/** Examples of docs/billing.md, by rule: each bills differently under the first policy and today. */
const NOTICED_BY: Readonly<Record<string, string>> = {
  total: 'Granularity #1',
  intervalsCountedFromWindow: 'Granularity #3',
  rateLooksBeforeStart: 'Rates #2',
  chargeFullNeedsLength: 'Charge full #1',
  adjustmentNeedsLine: 'Price adjustments #4',
  reductionCarriesAdjustment: 'Price adjustments #6',
  renewalCountsUsedDay: 'Day basis #2',
  roundsUnitsAndAddonsSeparately: 'Cumulative rounding #2',
  renewalCountsWholeFirstDay: 'Day basis #3',
  unchargedUnitsCover: 'Prepaid units after a switch #4',
  cancellationCutsEndedWindows: 'Cancellation #4',
  separateUsageCutsAddonRates: 'Rates #3',
  windowsNeedBoundary: 'Renewals #2',
  boundariesMoveWithZone: 'Renewals #1',
  switchForgetsFirstFull: 'Add-ons #5',
  lineOrder: 'Line order #1',
  ordersByAllNames: 'Line order #2',
  cancellationSettles: 'Plan switches #3',
  endSettles: 'Plan switches #4',
  reversalBearsNoNegativeTax: 'Tax #3',
  reversalBearsTaxOfItsCharge: 'Price adjustments #7',
};

describe('the comparison of engine and calculator', () => {
  it.each(FORMER_RULES)('notices $name of the first policy', async (rule) => {
    const history = docHistories().get(NOTICED_BY[rule.name]!)!;
    expect(expectSameBooks(history)).toBeGreaterThan(0);
    await withFormerRule(rule, () => expect(() => expectSameBooks(history)).toThrow());
  });
});
