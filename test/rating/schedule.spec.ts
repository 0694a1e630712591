import { describe, expect, it } from '@jest/globals';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { scheduleOf } from '../../src/billing/rating/schedule.js';
import { MINUTE, formatInstant, instant } from '../../src/kernel/instant.js';
import { DAY, MONTH, WEEK, YEAR, aCharge, aComponent, aContent, aTerm } from '../support/builders/billing.js';

const GRACE = 30n * MINUTE;
const short = (at: string) => formatInstant(instant(at)).replace('T00:00:00Z', '').replace('2026-', '');

/**
 * Returns what is due as `segment from>to @ due date`, and the next date with `+` if it waits for the grace.
 */
function seen(term: RunTerm, asOf: string) {
  const { due, next } = scheduleOf(term, instant(asOf), GRACE);
  return {
    due: due.map((item) => `${short(item.segment.start)}>${short(item.segment.end)} @ ${short(item.due.at)}`),
    next: next && `${short(next.at)}${next.graced ? '+' : ''}`,
  };
}

const inAdvance = (changes = {}) => aContent({ recurringCharges: [aCharge(changes)] });
const inArrears = (changes = {}) => inAdvance({ timing: 'in_arrears', ...changes });
const usage = (changes = {}) => aContent({ components: [aComponent(changes)] });

describe('what falls due when', () => {
  it('a fee in advance is due at the first start, without grace', () => {
    const term = aTerm(inAdvance());
    expect(seen(term, '2025-12-31T23:59:59Z')).toEqual({ due: [], next: '01-01' });
    expect(seen(term, '2026-01-01')).toEqual({ due: ['01-01>02-01 @ 01-01'], next: null });
  });

  it('the first fee of a renewal is on the invoice of the boundary and waits for the grace', () => {
    const term = aTerm(inAdvance(), { renewal: true });
    expect(seen(term, '2026-01-01T00:29:59Z')).toEqual({ due: [], next: '01-01+' });
    expect(seen(term, '2026-01-01T00:30:00Z').due).toEqual(['01-01>02-01 @ 01-01']);
  });

  it('a fee in arrears and usage are due at the end of the period, after the grace', () => {
    for (const term of [aTerm(inArrears()), aTerm(usage())]) {
      expect(seen(term, '2026-02-01T00:29:59Z')).toEqual({ due: [], next: '02-01+' });
      expect(seen(term, '2026-02-01T00:30:00Z')).toEqual({ due: ['01-01>02-01 @ 02-01'], next: null });
    }
  });

  it.each(['cancelled', 'switched'] as const)(
    'the usage of a %s term does not wait for the grace',
    (endedBy) => {
      const term = aTerm(usage(), { end: '2026-01-11', endedBy });
      expect(seen(term, '2026-01-10T23:59:59Z')).toEqual({ due: [], next: '01-11' });
      expect(seen(term, '2026-01-11').due).toEqual(['01-01>01-11 @ 01-11']);
    },
  );

  it('a cut just after a boundary does not wait for the grace of that boundary, which keeps it', () => {
    const content = aContent({ components: [aComponent({ resetInterval: DAY, invoicingInterval: DAY })] });
    const term = aTerm(content, { end: '2026-01-03T00:10:00Z', endedBy: 'cancelled' });
    expect(seen(term, '2026-01-03T00:05:00Z').next).toBe('01-03T00:10:00Z');
    expect(seen(term, '2026-01-03T00:10:00Z')).toEqual({
      due: ['01-01>01-02 @ 01-02', '01-03>01-03T00:10:00Z @ 01-03T00:10:00Z'],
      next: '01-03+',
    });
  });
});

describe('reset intervals', () => {
  it('cut the period into windows counted from its start, the last cut at its end', () => {
    const term = aTerm(inAdvance({ resetInterval: WEEK }));
    expect(seen(term, '2026-02-01').due).toEqual([
      '01-01>01-08 @ 01-01',
      '01-08>01-15 @ 01-08',
      '01-15>01-22 @ 01-15',
      '01-22>01-29 @ 01-22',
      '01-29>02-01 @ 01-29',
    ]);
  });

  it('in advance only what has started is due, whatever the invoicing interval', () => {
    const term = aTerm(inAdvance({ resetInterval: WEEK, invoicingInterval: { unit: 'day', count: 2 } }));
    expect(seen(term, '2026-01-06')).toEqual({ due: ['01-01>01-08 @ 01-01'], next: '01-08+' });
  });

  it('windows of usage wait for the end of the period', () => {
    const term = aTerm(usage({ resetInterval: DAY }));
    expect(seen(term, '2026-01-31').due).toEqual([]);
    expect(seen(term, '2026-02-01T01:00:00Z').due).toHaveLength(31);
  });

  it('a window is measured against one full interval, a period without one against its full period', () => {
    const fullOf = (term: RunTerm) => scheduleOf(term, instant('2026-02-01'), GRACE).due.at(-1)!.full;
    const weekly = aTerm(inAdvance({ resetInterval: WEEK }));
    expect(fullOf(weekly)).toEqual({ start: instant('2026-01-29'), end: instant('2026-02-05') });
    const partial = aTerm(inAdvance(), { start: '2026-01-11', dayAnchor: 1 });
    expect(fullOf(partial)).toEqual({ start: instant('2026-01-01'), end: instant('2026-02-01') });
  });

  it('months count from the day that is meant where the start was clamped', () => {
    const term = aTerm(inAdvance({ resetInterval: MONTH }), {
      start: '2026-02-28',
      duration: YEAR,
      dayAnchor: 31,
    });
    expect(seen(term, '2026-05-30').due).toEqual([
      '02-28>03-31 @ 02-28',
      '03-31>04-30 @ 03-31',
      '04-30>05-31 @ 04-30',
    ]);
  });
});

describe('invoicing intervals', () => {
  it('are dates counted from the start of the term on which a running window is invoiced so far', () => {
    const term = aTerm(usage({ invoicingInterval: WEEK }));
    expect(seen(term, '2026-01-08T00:29:00Z')).toEqual({ due: [], next: '01-08+' });
    expect(seen(term, '2026-01-08T00:30:00Z')).toEqual({ due: ['01-01>01-08 @ 01-08'], next: '01-15+' });
    expect(seen(term, '2026-02-01T00:30:00Z')).toEqual({ due: ['01-01>02-01 @ 02-01'], next: null });
  });

  it('of several dates that have passed only the latest is used', () => {
    const term = aTerm(usage({ invoicingInterval: WEEK }));
    const { due } = scheduleOf(term, instant('2026-01-25'), GRACE);
    expect(due.map((item) => [item.billingType, item.due.at])).toEqual([
      ['intermediate', instant('2026-01-22')],
    ]);
  });

  it('a window that has ended waits for the next date', () => {
    const term = aTerm(usage({ resetInterval: DAY, invoicingInterval: WEEK }), { end: '2026-01-20' });
    expect(seen(term, '2026-01-07T23:00:00Z').due).toEqual([]);
    const { due } = scheduleOf(term, instant('2026-01-08T00:30:00Z'), GRACE);
    expect(due.map((item) => item.due.at)).toEqual(Array(7).fill(instant('2026-01-08')));
    expect(due.every(({ billingType }) => billingType === 'in_arrears')).toBe(true);
  });

  it('a fee in arrears is owed once its window is over, on the date at or after that', () => {
    const term = aTerm(inArrears({ invoicingInterval: WEEK }));
    expect(seen(term, '2026-01-10')).toEqual({ due: [], next: '02-01+' });
    const longer = aTerm(inArrears({ invoicingInterval: WEEK }), { end: '2026-03-01' });
    expect(seen(longer, '2026-01-10').next).toBe('02-05+');
  });

  it('longer than the term, they end with it', () => {
    const term = aTerm(usage({ invoicingInterval: YEAR }));
    expect(seen(term, '2026-01-10').next).toBe('02-01+');
  });
});

describe('a term longer than the duration of the plan', () => {
  const content = aContent({ recurringCharges: [aCharge()], components: [aComponent()] });
  const term = () => aTerm(content, { start: '2026-01-15', dayAnchor: 1, end: '2026-03-10' });

  it('is cut at every boundary into billing periods, with fees and windows of their own', () => {
    expect(seen(term(), '2026-03-10T00:30:00Z')).toEqual({
      due: [
        '01-15>02-01 @ 01-15',
        '02-01>03-01 @ 02-01',
        '03-01>03-10 @ 03-01',
        '01-15>02-01 @ 02-01',
        '02-01>03-01 @ 03-01',
        '03-01>03-10 @ 03-10',
      ],
      next: null,
    });
  });

  it('bills the next fee with the usage of the period that ends', () => {
    expect(seen(term(), '2026-02-01')).toEqual({ due: ['01-15>02-01 @ 01-15'], next: '02-01+' });
  });

  it('names every charge, period and window by a key of its own', () => {
    const { due } = scheduleOf(term(), instant('2026-04-01'), GRACE);
    expect(new Set(due.map(({ chargeKey }) => chargeKey)).size).toBe(due.length);
  });
});

describe('time zones', () => {
  it('boundaries are local midnights, also across a change of the clocks', () => {
    const term = aTerm(usage({ resetInterval: { unit: 'day', count: 15 } }), {
      start: '2026-03-15T23:00:00Z',
      zone: 'Europe/Warsaw',
    });
    expect(seen(term, '2026-04-16').due).toEqual([
      '03-15T23:00:00Z>03-30T22:00:00Z @ 04-15T22:00:00Z',
      '03-30T22:00:00Z>04-14T22:00:00Z @ 04-15T22:00:00Z',
      '04-14T22:00:00Z>04-15T22:00:00Z @ 04-15T22:00:00Z',
    ]);
  });
});
