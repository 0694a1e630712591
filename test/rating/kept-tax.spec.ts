import { describe, expect, it } from '@jest/globals';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { instant } from '../../src/kernel/instant.js';
import { NO_TAX, WEEK, aComponent, aContent, aTerm, perUnit } from '../support/builders/billing.js';
import { HALF, priced, termOf, withUnits } from '../support/prepaid-terms.js';
import { PureAccount, type Used } from '../support/pure-account.js';

/** An account of an organization with this tax rate, with what happened to it under another. */
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

describe('after the tax rate has changed (billing.md sections 3 and 8)', () => {
  /** 60 calls at 1.00, so that more than 100 cost 0.10 each. */
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
});
