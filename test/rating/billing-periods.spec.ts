import { describe, expect, it } from '@jest/globals';
import {
  billingPeriodsOf,
  invoicingDatesOf,
  lastPeriodOf,
  resetWindowsOf,
  windowAnchorOf,
} from '../../src/pricing/proration.js';
import { formatInstant, instant } from '../../src/kernel/instant.js';
import { intervalOf, renewalPeriod, type Period } from '../../src/kernel/period.js';
import type { Term } from '../../src/subscription/domain/events.js';
import { DAY, MONTH, WEEK, aContent, aTerm, type TermChanges } from '../support/builders/billing.js';
import { switchedInto } from '../support/builders/switched-terms.js';

const short = (at: string) => formatInstant(instant(at)).replace('T00:00:00Z', '').replace('2026-', '');
const span = ({ start, end }: Period) => `${short(start)}>${short(end)}`;
const termOf = (changes: TermChanges = {}): Term => aTerm(aContent(), changes).term;

/** Returns a term that begins by a switch on a day of January; the term before began on January 1. */
const switchedOn = (day: string, end: string): Term =>
  switchedInto(termOf({ end }), instant(`2026-01-${day}`));

describe('billing periods', () => {
  it('are those that have begun, and the one after', () => {
    const term = termOf({ end: '2026-06-10' });
    const begunBy = (until: string) => billingPeriodsOf(term, instant(until)).map(span);
    expect(begunBy('2026-01-20')).toEqual(['01-01>02-01', '02-01>03-01']);
    expect(begunBy('2026-02-01')).toEqual(['01-01>02-01', '02-01>03-01', '03-01>04-01']);
    expect(begunBy('2026-07-01').at(-1)).toBe('06-01>06-10');
  });

  it('after a switch begin with the rest of the period that it cut', () => {
    const periods = billingPeriodsOf(switchedOn('11', '2026-02-15'), instant('2026-03-01'));
    expect(periods.map(span)).toEqual(['01-11>02-01', '02-01>02-15']);
    expect(periods.map(({ whole }) => span(whole))).toEqual(['01-01>02-01', '02-01>02-15']);
    expect(periods.map(({ full }) => span(full))).toEqual(['01-01>02-01', '02-01>03-01']);
  });

  it('have the same last one without the others', () => {
    for (const end of ['2026-01-20', '2026-02-15', '2026-03-01']) {
      const term = switchedOn('11', end);
      expect(lastPeriodOf(term)).toEqual(billingPeriodsOf(term, term.end).at(-1));
    }
  });
});

describe('reset windows', () => {
  const windows = (term: Term, interval = WEEK) =>
    resetWindowsOf(billingPeriodsOf(term, term.start)[0]!, interval, term);

  it('after a switch are counted from where the running period began, and the first is what is left of it', () => {
    const cut = windows(switchedOn('11', '2026-02-01'));
    expect(cut.map(({ window }) => span(window))).toEqual([
      '01-11>01-15',
      '01-15>01-22',
      '01-22>01-29',
      '01-29>02-01',
    ]);
    expect(cut.map(({ full }) => span(full))).toEqual([
      '01-08>01-15',
      '01-15>01-22',
      '01-22>01-29',
      '01-29>02-05',
    ]);
  });

  it('have no empty one where a switch falls on their boundary', () => {
    expect(windows(switchedOn('15', '2026-02-01')).map(({ window }) => span(window))[0]).toBe('01-15>01-22');
  });

  /** Returns a quarterly term that begins at a midnight of one zone and is measured in another zone. */
  const renewedIn = (zone: string, before: string): Term => {
    const quarter = intervalOf('quarterly');
    const { end: start, basis } = termOf({ zone: before, duration: quarter, start: midnight[before]! });
    const firstFull = renewalPeriod(start, zone, quarter, basis.anchor);
    return { ...termOf(), start, end: firstFull.end, basis: { ...basis, zone, firstFull } };
  };
  const midnight: Record<string, string> = {
    UTC: '2026-01-01',
    'Pacific/Pago_Pago': '2026-01-01T11:00:00Z',
  };

  it.each([
    ['UTC', 'America/New_York', '04-01>05-01T04:00:00Z'],
    ['UTC', 'Asia/Tokyo', '04-01>04-30T15:00:00Z'],
  ])('begin with a period that begins beside a boundary: from %s to %s', (before, zone, first) => {
    const [cut, next] = windows(renewedIn(zone, before), MONTH);
    expect(span(cut!.window)).toBe(first);
    expect(cut!.full).toEqual(cut!.window);
    expect(next!.window.start).toBe(cut!.window.end);
    expect(next!.full).toEqual(next!.window);
  });

  it.each([
    ['Pacific/Tongatapu', '04-01T11:00:00Z>04-02T11:00:00Z'],
    ['Pacific/Kiritimati', '04-01T11:00:00Z>04-02T10:00:00Z'],
  ])(
    'leave out those over before the period begins: %s is a day and more ahead of Pago Pago',
    (zone, first) => {
      const cut = windows(renewedIn(zone, 'Pacific/Pago_Pago'), DAY);
      expect(span(cut[0]!.window)).toBe(first);
      // The first window has its full length and is charged completely.
      expect(cut[0]!.full).toEqual(cut[0]!.window);
    },
  );
});

describe('what windows are counted by', () => {
  it('has the day of the month that is meant, where boundaries are counted by months', () => {
    const monthly = termOf({ start: '2026-01-31' });
    expect(windowAnchorOf(instant('2026-02-28'), monthly).day).toBe(31);
    expect(windowAnchorOf(instant('2026-02-27'), monthly).day).toBe(27);
    const weekly = termOf({ start: '2026-01-31', duration: WEEK });
    expect(windowAnchorOf(instant('2026-02-28'), weekly).day).toBe(28);
  });
});

describe('invoicing dates (docs/billing.md#invoicing-dates)', () => {
  const dates = (term: Term, interval = WEEK, until = '2026-03-01') =>
    invoicingDatesOf(term, interval, instant(until)).map(short);

  it('count from the start of the term and lie inside it', () => {
    expect(dates(termOf())).toEqual(['01-08', '01-15', '01-22', '01-29']);
    expect(dates(termOf(), DAY).at(-1)).toBe('01-31');
    expect(dates(termOf(), WEEK, '2026-01-10')).toEqual(['01-08', '01-15']);
    expect(invoicingDatesOf(termOf(), null, instant('2026-03-01'))).toEqual([]);
  });

  it('after a switch count from where the term before began', () => {
    expect(dates(switchedOn('11', '2026-02-01'))).toEqual(['01-15', '01-22', '01-29']);
    expect(dates(switchedOn('15', '2026-02-01'))).toEqual(['01-22', '01-29']);
  });
});
