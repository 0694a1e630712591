import { describe, expect, it } from '@jest/globals';
import { instant } from '../../src/kernel/instant.js';
import {
  END,
  HALF,
  begun,
  billed,
  cancelled,
  linesOf,
  endMovedTo,
  priced,
  termOf,
  withUnits,
} from '../support/prepaid-terms.js';
import { PureAccount } from '../support/pure-account.js';

describe('a cancellation with prepaid units', () => {
  it.each([null, 'refund', 'charge_prorated', 'charge_full'] as const)(
    '%s does not apply to them: they are no flat fee and follow their own behavior',
    (flatFee) => {
      const usage = [{ at: '2026-01-05T00:00:00.000000Z', n: '35' }];
      for (const [behavior, lines] of [
        ['full', ['15.00']],
        ['prorate', ['-6.77', '15.00']],
      ] as const) {
        const term = termOf(priced(behavior));
        const account = begun(term, usage);
        account.terms = [cancelled(term, '2026-01-11', { flatFee })];
        expect(linesOf(account, '2026-01-11')).toEqual(lines);
      }
    },
  );

  it('after a change keeps each part for the time it had, and rates usage above the latest units', () => {
    const term = termOf(priced('prorate'));
    const account = begun(term);
    const changed = withUnits(term, ['2026-01-11', '30']);
    account.terms = [changed];
    expect(linesOf(account, '2026-01-11')).toEqual(['6.77']);
    account.terms = [cancelled(changed, '2026-01-21')];
    // Prepaid: 10 days at 10.00 and 10 at 20.00 make 9.68. Usage: 35 used less 30 prepaid make 5.00.
    expect(linesOf(account, '2026-01-21')).toEqual(['-7.09', '5.00']);
    expect(linesOf(account, '2026-03-10')).toEqual([]);
  });

  it('bills a change that waited for an invoice, at the former end when it waits itself', () => {
    const term = termOf(priced('full'));
    const changed = withUnits(term, [HALF, '30']);
    const now = begun(term, []);
    now.terms = [cancelled(changed, '2026-01-21')];
    expect(linesOf(now, '2026-01-21')).toEqual(['10.00']);

    const later = begun(term, []);
    const billedAt = instant('2026-02-01');
    later.terms = [cancelled(changed, '2026-01-21', { invoicing: 'add_to_next_invoice', billedAt })];
    expect(linesOf(later, '2026-01-25')).toEqual([]);
    expect(linesOf(later, END)).toEqual(['10.00']);
  });

  it('takes back a change of its own instant, which has no time', () => {
    const usage = [{ at: '2026-01-05T00:00:00.000000Z', n: '35' }];
    const endings = [
      ['full', '30', ['10.00'], ['-10.00', '15.00']],
      ['full', '5', ['-10.00'], ['10.00', '15.00']],
      ['prorate', '30', ['5.00'], ['-10.00', '15.00']],
    ] as const;
    for (const [behavior, units, change, end] of endings) {
      const changed = withUnits(termOf(priced(behavior)), [HALF, units]);
      const account = begun(termOf(priced(behavior)), usage);
      account.terms = [changed];
      expect(linesOf(account, HALF)).toEqual(change);
      account.terms = [cancelled(changed, HALF)];
      expect(linesOf(account, HALF)).toEqual(end);
    }
  });

  it('at the first instant of a window credits back all of its units, whatever their behavior', () => {
    for (const behavior of ['full', 'prorate'] as const) {
      const term = termOf(priced(behavior));
      const account = begun(term, []);
      account.terms = [cancelled(term, '2026-01-01')];
      expect(billed(account, '2026-01-01T00:00:01Z')).toMatchObject({ lines: ['-10.00'], credit: '10.00' });
    }
  });

  it('shows the reversal over the whole window, and what is charged again after a void over its part', () => {
    const term = termOf(priced('prorate'));
    const billedOver = (account: PureAccount) =>
      account.bill('2026-01-11')!.lines.map(({ base, period }) => [base.amount, period.start, period.end]);
    const [first, middle, last] = ['2026-01-01', '2026-01-11', '2026-02-01'].map(instant);
    const paid = begun(term, []);
    paid.terms = [cancelled(term, '2026-01-11')];
    expect(billedOver(paid)[0]).toEqual(['-677', first, last]);

    const voided = new PureAccount([term]);
    voided.void(voided.bill('2026-01-01')!.invoiceId, '2026-01-05');
    voided.terms = [cancelled(term, '2026-01-11')];
    expect(billedOver(voided)[0]).toEqual(['323', first, middle]);
  });

  it('bill_none drops the usage, not the units', () => {
    const term = termOf(priced('full'));
    const account = begun(term, [{ at: '2026-01-05T00:00:00.000000Z', n: '35' }]);
    account.terms = [cancelled(term, '2026-01-11', { usage: 'bill_none' })];
    expect(linesOf(account, '2026-01-11')).toEqual([]);
    expect(linesOf(account, END)).toEqual([]);
  });
});

describe('an end that is moved, with prepaid units', () => {
  it('earlier credits back, at the new end, what was charged for the time after it', () => {
    const term = termOf(priced('prorate'));
    const account = begun(term, []);
    account.terms = [endMovedTo(term, '2026-01-22')];
    expect(linesOf(account, '2026-01-20')).toEqual([]);
    expect(linesOf(account, '2026-01-22T00:30:00Z')).toEqual(['-3.23']);
  });

  it('after a change settles the rest at the new end, and no run before it', () => {
    const term = termOf(priced('prorate'));
    const account = begun(term, []);
    const changed = withUnits(term, ['2026-01-11', '30']);
    account.terms = [changed];
    expect(linesOf(account, '2026-01-11')).toEqual(['6.77']);
    const settled = changed.prepaidChanges!.map((change) => ({ ...change, settledAtEnd: true }));
    account.terms = [{ ...endMovedTo(changed, '2026-01-21'), prepaidChanges: settled }];
    expect(linesOf(account, '2026-01-15')).toEqual([]);
    expect(linesOf(account, '2026-01-21T00:30:00Z')).toEqual(['-7.09']);
  });

  it('after a change leaves billable before that end what a voided invoice had charged', () => {
    const term = termOf(priced('full', '15'));
    const account = new PureAccount([term]);
    const first = account.bill('2026-01-01')!;
    const changed = withUnits(term, ['2026-01-06', '20']);
    account.terms = [changed];
    expect(linesOf(account, '2026-01-06')).toEqual(['5.00']);
    account.void(first.invoiceId, '2026-01-07');
    const settled = changed.prepaidChanges!.map((change) => ({ ...change, settledAtEnd: true }));
    account.terms = [{ ...endMovedTo(changed, '2026-01-21'), prepaidChanges: settled }];
    expect(linesOf(account, '2026-01-15')).toEqual(['5.00']);
    expect(linesOf(account, '2026-01-21T00:30:00Z')).toEqual([]);
  });

  it('before a change is the end up to which the change is prorated', () => {
    const term = endMovedTo(termOf(priced('prorate')), '2026-01-21');
    const account = begun(termOf(priced('prorate')), []);
    account.terms = [withUnits(term, ['2026-01-11', '30'])];
    expect(linesOf(account, '2026-01-11')).toEqual(['-0.32']);
    expect(linesOf(account, '2026-01-21T00:30:00Z')).toEqual([]);
  });
});
