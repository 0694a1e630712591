import { describe, expect, it } from '@jest/globals';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { instant } from '../../src/kernel/instant.js';
import { NO_TAX, WEEK, aComponent, aContent, aTerm, perUnit } from '../support/builders/billing.js';
import { HALF, priced, termOf, withUnits } from '../support/prepaid-terms.js';
import { PureAccount, type Used } from '../support/pure-account.js';

/**
 * Returns an account of an organization with this tax rate; its events so far come from `before`, with
 * another rate.
 */
function taxed(taxRate: string, term: RunTerm, usage: readonly Used[], before?: PureAccount): PureAccount {
  const organization = { settings: { ...NO_TAX, taxRate }, revision: '0' };
  const account = new PureAccount([term], usage, { organization });
  account.happened(...(before?.log ?? []));
  return account;
}
const shown = (account: PureAccount, asOf: string) =>
  account
    .bill(asOf)!
    .lines.filter(({ subscriptionId }) => subscriptionId !== null)
    .map(({ subtotal, amount, explanation }) => [subtotal.amount, amount.amount, explanation.taxRate]);

describe('after the tax rate has changed (docs/billing.md#tax)', () => {
  /** Volume prices: 1.00 per call up to 100 calls, 0.10 per call above. */
  const tiers = [perUnit('1.00', '0', '100'), perUnit('0.10', '100')];
  const calls = () =>
    aTerm(aContent({ components: [aComponent({ tiers, volume: true, invoicingInterval: WEEK })] }));
  const firstWeek = { at: instant('2026-01-05'), n: '60' };

  it.each([
    ['what a window costs more has the new rate', '30', ['3000', '3750', '25']],
    ['what it costs less has the rate it was billed with', '100', ['-4400', '-4840', '10']],
  ])('%s', (_, n, expected) => {
    const before = taxed('10', calls(), [firstWeek]);
    expect(shown(before, '2026-01-08T00:30:00Z')).toEqual([['6000', '6600', '10']]);
    const after = taxed('25', calls(), [firstWeek, { at: instant('2026-01-09'), n }], before);
    expect(shown(after, '2026-01-15T00:30:00Z')).toEqual([expected]);
  });

  it('usage of a voided invoice has the rate it was billed with', () => {
    const before = taxed('10', calls(), [firstWeek]);
    before.void(before.bill('2026-01-08T00:30:00Z')!.invoiceId, '2026-01-09');
    const after = taxed('25', calls(), [firstWeek], before);
    expect(shown(after, '2026-01-15T00:30:00Z')).toEqual([['6000', '6600', '10']]);
  });

  it.each([
    ['more prepaid units have the new rate', '30', ['1000', '1250', '25']],
    ['fewer have the rate they were billed with', '15', ['-500', '-550', '10']],
  ])('%s', (_, units, expected) => {
    const term = termOf(priced('full'));
    const before = taxed('10', term, []);
    expect(shown(before, '2026-01-01')).toEqual([['1000', '1100', '10']]);
    expect(shown(taxed('25', withUnits(term, [HALF, units]), [], before), HALF)).toEqual([expected]);
  });

  it('prepaid units of a voided invoice have the rate they were billed with', () => {
    const term = termOf(priced('full'));
    const before = taxed('10', term, []);
    before.void(before.bill('2026-01-01')!.invoiceId, '2026-01-02');
    expect(shown(taxed('25', term, [], before), '2026-01-03')).toEqual([['1000', '1100', '10']]);
  });

  const dear = () => aTerm(aContent({ components: [aComponent({ invoicingInterval: WEEK })] }));
  /**
   * Volume prices: 1.00 per call up to 20 calls, 0.10 per call above. A 21st call lowers the price of the
   * window from 20.00 to 2.10.
   */
  const cheap = () =>
    aTerm(
      aContent({
        components: [
          aComponent({
            tiers: [perUnit('1.00', '0', '20'), perUnit('0.10', '20')],
            volume: true,
            invoicingInterval: WEEK,
          }),
        ],
      }),
    );
  const ten = [5, 12].map((day) => ({ at: instant(`2026-01-${String(day).padStart(2, '0')}`), n: '10' }));
  const twoRates = () => {
    const first = taxed('10', cheap(), [ten[0]!]);
    expect(shown(first, '2026-01-08T00:30:00Z')).toEqual([['1000', '1100', '10']]);
    const second = taxed('20', cheap(), ten, first);
    expect(shown(second, '2026-01-15T00:30:00Z')).toEqual([['1000', '1200', '20']]);
    return second;
  };

  it('what a window of two rates costs less has the rate it was charged with, the newest first', () => {
    const after = taxed('25', cheap(), [...ten, { at: instant('2026-01-16'), n: '1' }], twoRates());
    const invoice = after.bill('2026-01-22T00:30:00Z')!;
    const lines = invoice.lines.filter(({ subscriptionId }) => subscriptionId !== null);
    expect(
      lines.map((it) => [it.quantity, it.base.amount, it.amount.amount, it.explanation.taxRate]),
    ).toEqual([
      ['1', '-1000', '-1200', '20'],
      ['0', '-790', '-869', '10'],
    ]);
    const [charge] = after.state.billed.values();
    expect([charge!.base, charge!.tax]).toEqual([210n, 21n]);
  });

  it('each voided part is charged again with its own rate, what is new with the rate of the day', () => {
    const before = twoRates();
    const [first] = before.fullState.invoices.keys();
    before.void(first!, '2026-01-16');
    const after = taxed('25', cheap(), ten, before);
    expect(shown(after, '2026-01-17')).toEqual([['1000', '1100', '10']]);

    const more = taxed('25', dear(), [...ten, { at: instant('2026-01-16'), n: '3' }], twoRates());
    const [both, later] = more.fullState.invoices.keys();
    more.void(both!, '2026-01-17');
    more.void(later!, '2026-01-17');
    expect(shown(more, '2026-01-22T00:30:00Z')).toEqual([
      ['1000', '1200', '20'],
      ['1000', '1100', '10'],
      ['300', '375', '25'],
    ]);
  });

  it('the kept part has the price adjustment that it had, to the cent', () => {
    const priceAdjustment = {
      name: 'less',
      description: null,
      type: 'percentage' as const,
      amount: '-12.5',
    };
    const component = cheap().content.components[0]!;
    const term = aTerm(aContent({ components: [component], priceAdjustment }));
    // Adjusted: −0.63 of 5.00, then −0.26 of the 2.10 kept. Rounded alone, 2.90 would credit back 0.36.
    const five = { at: instant('2026-01-05'), n: '5' };
    const before = taxed('10', term, [five]);
    expect(shown(before, '2026-01-08T00:30:00Z')).toEqual([['437', '481', '10']]);
    const after = taxed('10', term, [five, { at: instant('2026-01-12'), n: '16' }], before);
    expect(shown(after, '2026-01-15T00:30:00Z')).toEqual([['-253', '-279', '10']]);
    const [charge] = after.state.billed.values();
    expect([charge!.base, charge!.adjustments, charge!.tax]).toEqual([210n, -26n, 18n]);
  });
});
