import { describe, expect, it } from '@jest/globals';
import { DAY as A_DAY, instant, plusMicros } from '../../src/kernel/instant.js';
import { MONTH, NO_TAX, WEEK, aCharge, aContent, aTerm, perUnit } from '../support/builders/billing.js';
import {
  END,
  HALF,
  USED,
  begun,
  billed,
  cancelled,
  linesOf,
  priced,
  termOf,
  withUnits,
} from '../support/prepaid-terms.js';
import { PureAccount } from '../support/pure-account.js';

describe('the table of docs/billing.md#prepaid-units: 20 units, 35 used, changed at half time', () => {
  it.each([
    ['full', '30', 'now', ['10.00'], undefined, ['5.00'], '5.00'],
    ['full', '5', 'now', ['-10.00'], '10.00', ['25.00'], '15.00'],
    ['full', '30', 'later', null, undefined, ['10.00', '5.00'], '15.00'],
    ['prorate', '30', 'now', ['5.00'], undefined, ['5.00'], '5.00'],
    ['prorate', '5', 'now', ['-5.00'], '5.00', ['25.00'], '20.00'],
    ['prorate', '30', 'later', null, undefined, ['5.00', '5.00'], '10.00'],
  ] as const)('%s, 20→%s %s', (behavior, units, when, now, credit, lines, total) => {
    const term = termOf(priced(behavior));
    const account = begun(term);
    account.terms = [withUnits(term, [HALF, units])];
    if (when === 'now') expect(billed(account, HALF)).toMatchObject({ lines: now, credit });
    expect(billed(account, END)).toMatchObject({ lines, total });
    expect(linesOf(account, '2026-03-10')).toEqual([]);
  });

  it('15 → 20 units after 5 of 7 days: 6.43 − 5.00 = 1.43', () => {
    const term = termOf(priced('prorate', '15', { resetInterval: WEEK }));
    const account = begun(term, []);
    account.terms = [withUnits(term, ['2026-01-06', '20'])];
    expect(linesOf(account, '2026-01-06')).toEqual(['1.43']);
  });

  it('what was never paid is no credit: fewer units reduce the invoice that charged them', () => {
    const term = termOf(priced('full'));
    const account = new PureAccount([term], []);
    account.run('2026-01-01');
    account.terms = [withUnits(term, [HALF, '15'])];
    const { reductions, grants } = account.bill(HALF)!;
    expect({ grants, off: reductions[0]!.amount.amount }).toEqual({ grants: [], off: '500' });
    expect([...account.state.invoices.values()][0]).toMatchObject({ costDue: 500n, status: 'unpaid' });
  });
});

describe('a change of prepaid units', () => {
  it('applies from now on and to later windows: units begin anew in each', () => {
    const term = termOf(priced('full', '15', { resetInterval: WEEK }));
    const account = begun(term, [{ at: '2026-01-06T12:00:00.000000Z', n: '25' }]);
    account.terms = [withUnits(term, ['2026-01-06', '20'])];
    expect(linesOf(account, '2026-01-06')).toEqual(['5.00']);
    for (const week of ['2026-01-08', '2026-01-15', '2026-01-22', '2026-01-29']) {
      expect(linesOf(account, `${week}T00:30:00Z`)).toEqual(['10.00']);
    }
    // The first week used 25 units, and its latest prepaid units were 20.
    expect(linesOf(account, END)).toEqual(['5.00']);
  });

  it('that is not invoiced at once is on the next invoice of its account, and is no reason for one', () => {
    const term = termOf(priced('full', '15', { resetInterval: WEEK }));
    const account = begun(term, []);
    account.terms = [withUnits(term, ['2026-01-06', '20'])];
    const preview = account.preview('2026-01-05');
    expect(preview).toMatchObject({
      type: 'NothingDue',
      nothing: { terms: [{ nextDueAt: instant('2026-01-06') }] },
    });
    expect(linesOf(account, '2026-01-08T00:30:00Z')).toEqual(['5.00', '10.00']);
  });

  it('several in one window: each part at the price of its units, rounded once in all', () => {
    const term = termOf(priced('prorate'));
    const account = begun(term, []);
    const changes = [
      ['2026-01-11', '30'],
      ['2026-01-21', '12'],
      ['2026-01-22', '40'],
    ] as const;
    const net = changes.map(([at], place) => {
      account.terms = [withUnits(term, ...changes.slice(0, place + 1))];
      return linesOf(account, at)[0];
    });
    // Shares of the units: 10·10/31, 20·10/31, 2·1/31 and 30·10/31.
    expect(net).toEqual(['6.77', '-6.38', '9.03']);
    const total = 10 + net.reduce((sum, text) => sum + Number(text), 0);
    expect(total.toFixed(2)).toBe(((10 * 10 + 20 * 10 + 2 * 1 + 30 * 10) / 31).toFixed(2));
  });

  it('at the very start of a window replaces what was charged for it', () => {
    const term = termOf(priced('prorate'));
    const account = begun(term, []);
    account.terms = [withUnits(term, ['2026-01-01', '30'])];
    expect(linesOf(account, '2026-01-01T00:00:01Z')).toEqual(['10.00']);
    expect(linesOf(account, END)).toEqual([]);
  });

  it('at the instant a window ends belongs to the next one', () => {
    const term = termOf(priced('full', '20', { resetInterval: WEEK }));
    const account = begun(term, [{ at: '2026-01-05T00:00:00.000000Z', n: '35' }]);
    account.terms = [withUnits(term, ['2026-01-08', '30'])];
    expect(linesOf(account, '2026-01-08')).toEqual(['20.00']);
    account.terms = [cancelled(account.terms[0]!, '2026-01-09')];
    expect(linesOf(account, '2026-01-09')).toEqual(['15.00']);
  });

  it('of several at one instant the last counts', () => {
    const term = termOf(priced('prorate'));
    const account = begun(term, []);
    account.terms = [withUnits(term, [HALF, '5'], [HALF, '100'], [HALF, '30'])];
    expect(linesOf(account, HALF)).toEqual(['5.00']);
  });

  it('and back again at one instant costs nothing', () => {
    const term = termOf(priced('prorate'));
    const account = begun(term);
    account.terms = [withUnits(term, [HALF, '5'], [HALF, '20'])];
    expect(linesOf(account, HALF)).toEqual([]);
    account.terms.push(aTerm(aContent({ recurringCharges: [aCharge()] }), { name: 'other', start: HALF }));
    expect(account.bill(HALF)!.lines.map(({ name }) => name)).toEqual(['fee']);
  });

  it('in the grace after a boundary is billed with the units of that boundary', () => {
    const term = { ...termOf(priced('full')), renewal: true };
    const account = new PureAccount([withUnits(term, ['2026-01-01T00:10:00Z', '30'])], []);
    expect(linesOf(account, '2026-01-01T00:10:00Z')).toEqual(['20.00']);
    expect(linesOf(account, '2026-01-01T00:30:00Z')).toEqual([]);
  });

  it('before the term begins is what the term begins with', () => {
    const term = termOf(priced('prorate'), { start: '2026-01-01' });
    const account = new PureAccount([withUnits(term, ['2025-12-20', '30'])], USED);
    expect(linesOf(account, '2025-12-20')).toEqual([]);
    expect(linesOf(account, '2026-01-01')).toEqual(['20.00']);
    expect(linesOf(account, END)).toEqual(['5.00']);
  });

  it('to no units credits back what was charged, and all usage is charged', () => {
    const term = termOf(priced('full'));
    const account = begun(term);
    account.terms = [withUnits(term, [HALF, '0'])];
    expect(billed(account, HALF)).toMatchObject({ lines: ['-10.00'], credit: '10.00' });
    account.terms = [withUnits(term, [HALF, '0'], ['2026-01-17', '20'])];
    expect(linesOf(account, '2026-01-17')).toEqual(['10.00']);
    expect(linesOf(account, END)).toEqual(['15.00']);
  });

  it('in day basis gives its whole day to the new units', () => {
    const term = termOf(priced('prorate'), { prorationBasis: 'day' });
    const account = begun(term, []);
    account.terms = [withUnits(term, ['2026-01-17T15:00:00Z', '30'], ['2026-01-17T18:00:00Z', '41'])];
    // Prepaid: 16 days at 10.00 and 15 days at 31.00. The first of two changes on one day lasts no day.
    expect(linesOf(account, '2026-01-17T18:00:00Z')).toEqual(['10.16']);
  });

  it('is rated at the volume price of all units', () => {
    const tiers = [perUnit('1.00', '0', '20'), perUnit('0.50', '20')];
    const term = termOf(priced('full', '20', { tiers, volume: true }));
    const account = begun(term);
    account.terms = [withUnits(term, [HALF, '30'])];
    expect(linesOf(account, HALF)).toEqual(['-5.00']);
    expect(linesOf(account, END)).toEqual(['2.50']);
  });

  it('leaves usage that is invoiced already to be corrected on the next date', () => {
    const term = termOf(priced('full', '20', { invoicingInterval: WEEK }));
    const account = begun(term, [{ at: '2026-01-05T00:00:00.000000Z', n: '25' }]);
    expect(linesOf(account, '2026-01-08T00:30:00Z')).toEqual(['5.00']);
    account.terms = [withUnits(term, ['2026-01-09', '30'])];
    expect(linesOf(account, '2026-01-09')).toEqual(['10.00']);
    expect(linesOf(account, '2026-01-15T00:30:00Z')).toEqual(['-5.00']);
  });

  it('shows the new units over the rest of the window, and the units before', () => {
    const term = termOf(priced('prorate'));
    const account = begun(term, []);
    account.terms = [withUnits(term, [HALF, '30'])];
    expect(account.bill(HALF)!.lines).toMatchObject([
      {
        name: 'calls (prepaid)',
        quantity: '30',
        billingType: 'in_advance',
        period: { start: instant(HALF), end: instant('2026-02-01') },
        explanation: {
          rule: 'prepaid_units',
          held: [
            { units: '20', from: instant('2026-01-01'), fraction: '1/2' },
            { units: '30', from: instant(HALF), fraction: '1/2' },
          ],
        },
      },
    ]);
  });

  it('at the start of a part of a period explains what share of it the units were for', () => {
    const explained = (behavior: 'full' | 'prorate') =>
      new PureAccount([termOf(priced(behavior), { start: HALF, dayAnchor: 1 })]).bill(HALF)!.lines[0]!
        .explanation;
    expect(explained('prorate')).toEqual({ rule: 'prepaid_units', fraction: '1/2' });
    expect(explained('full')).toEqual({ rule: 'prepaid_units' });
  });

  it('carries the price adjustment of its period, given once', () => {
    const adjusted = (type: 'fixed' | 'percentage' | 'price_override', amount: string) => {
      const priceAdjustment = { name: 'a', description: null, type, amount };
      const term = aTerm(aContent({ components: [priced('full')], priceAdjustment }));
      const account = new PureAccount([term], []);
      const start = linesOf(account, '2026-01-01');
      account.terms = [withUnits(term, [HALF, '30'])];
      const more = linesOf(account, HALF);
      account.terms = [withUnits(term, [HALF, '30'], ['2026-01-17', '15'])];
      return [...start, ...more, ...linesOf(account, '2026-01-17')];
    };
    expect(adjusted('percentage', '-10')).toEqual(['9.00', '9.00', '-13.50']);
    expect(adjusted('fixed', '-4')).toEqual(['6.00', '10.00', '-15.00']);
    expect(adjusted('price_override', '25')).toEqual(['25.00', '0.00', '0.00']);
  });

  it('is taxed at the rate of its invoice', () => {
    const term = termOf(priced('full'));
    const organization = { settings: { ...NO_TAX, taxRate: '10' }, revision: '0' };
    const account = new PureAccount([term], [], { organization });
    account.run('2026-01-01');
    account.terms = [withUnits(term, [HALF, '30'])];
    expect(account.bill(HALF)!.total.amount).toBe('1100');
  });
});

describe('prepaid units beside other charges', () => {
  it('a fee of the same term is not computed again when units change', () => {
    const content = aContent({ recurringCharges: [aCharge()], components: [priced('full')] });
    const account = begun(aTerm(content), []);
    account.terms = [withUnits(aTerm(content), [HALF, '30'])];
    expect(linesOf(account, HALF)).toEqual(['10.00']);
  });

  it('in a term of several periods every window has the units of its time', () => {
    const term = termOf(priced('full'), {
      end: plusMicros(instant('2026-01-01'), 90n * A_DAY),
      duration: MONTH,
    });
    const account = begun(term, []);
    expect(linesOf(account, '2026-02-01T00:30:00Z')).toEqual(['10.00']);
    account.terms = [withUnits(term, ['2026-02-10', '30'])];
    expect(linesOf(account, '2026-02-10')).toEqual(['10.00']);
    expect(linesOf(account, '2026-03-01T00:30:00Z')).toEqual(['20.00']);
    expect(linesOf(account, '2026-06-01')).toEqual([]);
  });
});
