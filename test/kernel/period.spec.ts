import { describe, expect, it } from '@jest/globals';
import { instant } from '../../src/kernel/instant.js';
import type { Instant } from '../../src/kernel/instant.js';
import {
  anchorOf,
  fullPeriodOf,
  intersect,
  intervalOf,
  isEmpty,
  nextBoundary,
  renewalPeriod,
  windowsOf,
} from '../../src/kernel/period.js';
import type { Anchor, Interval, Period, PlanDuration } from '../../src/kernel/period.js';
import { localDateText } from '../../src/kernel/zone.js';

const period = (start: string, end: string): Period => ({ start: instant(start), end: instant(end) });
const dates = (list: Instant[], zone = 'UTC') => list.map((at) => localDateText(at, zone));

/** Returns the boundaries that follow a start, as local dates. */
function boundaries(
  start: string,
  zone: string,
  interval: Interval,
  anchor: Anchor,
  count: number,
): string[] {
  const found: Instant[] = [];
  for (let at = instant(start); found.length < count; found.push(at))
    at = nextBoundary(at, zone, interval, anchor);
  return dates(found, zone);
}

const firstEnd = (
  start: string,
  duration: PlanDuration,
  day: number | null,
  month: number | null,
): string => {
  const interval = intervalOf(duration);
  const anchor = anchorOf(instant(start), 'UTC', interval, day, month);
  return nextBoundary(instant(start), 'UTC', interval, anchor);
};

describe('boundaries (docs/billing.md#terms-and-periods)', () => {
  it.each([
    ['2026-01-31', 'monthly', ['2026-02-28', '2026-03-31', '2026-04-30']],
    ['2024-01-31', 'monthly', ['2024-02-29', '2024-03-31', '2024-04-30']],
    ['2026-01-30', 'monthly', ['2026-02-28', '2026-03-30']],
    ['2024-02-29', 'yearly', ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
    ['2025-11-30', 'quarterly', ['2026-02-28', '2026-05-30', '2026-08-30']],
    ['2026-12-15', 'monthly', ['2027-01-15']],
  ] as const)(
    'are the anchor + n intervals, clamped to the month: from %s %s',
    (start, duration, expected) => {
      const interval = intervalOf(duration);
      const anchor = anchorOf(instant(start), 'UTC', interval, null, null);
      expect(boundaries(start, 'UTC', interval, anchor, expected.length)).toEqual(expected);
    },
  );

  it.each([
    ['2026-01-15', 'monthly', 1, null, '2026-02-01'],
    ['2026-01-15', 'monthly', 20, null, '2026-01-20'],
    ['2026-02-28', 'monthly', 31, null, '2026-03-31'],
    ['2026-02-27', 'monthly', 31, null, '2026-02-28'],
    ['2026-01-15', 'monthly', 15, null, '2026-02-15'],
    ['2026-01-15', 'monthly', null, 6, '2026-02-01'],
    ['2026-01-15', 'quarterly', 1, null, '2026-04-01'],
    ['2026-01-15', 'quarterly', 20, null, '2026-03-20'],
    ['2026-02-11', 'quarterly', 1, null, '2026-05-01'],
    ['2026-02-15', 'quarterly', 1, 1, '2026-04-01'],
    ['2026-02-15', 'quarterly', 1, 12, '2026-03-01'],
    ['2026-12-31', 'quarterly', null, 1, '2027-01-01'],
    ['2026-01-15', 'yearly', 1, 7, '2026-07-01'],
    ['2026-07-01', 'yearly', 1, 7, '2027-07-01'],
    ['2026-01-15', 'yearly', 20, null, '2026-12-20'],
    ['2026-02-28', 'yearly', 29, 2, '2027-02-28'],
    ['2027-03-01', 'yearly', 29, 2, '2028-02-29'],
  ] as const)(
    'first period from %s, %s, day %s, month %s ends before %s',
    (start, duration, day, month, end) => expect(firstEnd(start, duration, day, month)).toBe(instant(end)),
  );

  it('count from the local day of a start that is not at midnight', () => {
    expect(firstEnd('2026-01-01T12:00:00Z', 'monthly', null, null)).toBe(instant('2026-02-01'));
    expect(firstEnd('2026-01-31T10:00:00Z', 'monthly', null, null)).toBe(instant('2026-02-28'));
    const start = instant('2026-02-01T03:00:00Z');
    const month = intervalOf('monthly');
    const anchor = anchorOf(start, 'America/New_York', month, null, null);
    expect(anchor.day).toBe(31);
    expect(nextBoundary(start, 'America/New_York', month, anchor)).toBe(instant('2026-02-28T05:00:00Z'));
  });

  it('are at local midnight on both sides of a clock change', () => {
    const month = intervalOf('monthly');
    const start = instant('2026-03-01T05:00:00Z');
    const anchor = anchorOf(start, 'America/New_York', month, null, null);
    expect(nextBoundary(start, 'America/New_York', month, anchor)).toBe(instant('2026-04-01T04:00:00Z'));
    const saoPaulo = anchorOf(instant('2018-10-04T03:00:00Z'), 'America/Sao_Paulo', month, null, null);
    expect(nextBoundary(instant('2018-10-04T03:00:00Z'), 'America/Sao_Paulo', month, saoPaulo)).toBe(
      instant('2018-11-04T03:00:00Z'),
    );
  });

  it('are strictly after the instant asked about, also within an hour that the clock repeats', () => {
    const day: Interval = { unit: 'day', count: 1 };
    const anchor = anchorOf(instant('2006-10-01T02:30:00Z'), 'America/St_Johns', day, null, null);
    const midnight = instant('2006-10-29T02:30:00Z');
    const repeated = instant('2006-10-29T03:00:00Z');
    expect(localDateText(repeated, 'America/St_Johns')).toBe('2006-10-28');
    expect(fullPeriodOf(repeated, 'America/St_Johns', day, anchor)).toEqual({
      start: midnight,
      end: instant('2006-10-30T03:30:00Z'),
    });
    expect(nextBoundary(midnight, 'America/St_Johns', day, anchor)).toBe(instant('2006-10-30T03:30:00Z'));
  });

  it.each([
    [{ unit: 'month', count: 6 }, ['2024-07-31', '2025-01-31']],
    [{ unit: 'month', count: 5 }, ['2024-06-30', '2024-11-30', '2025-04-30']],
    [{ unit: 'year', count: 2 }, ['2026-01-31', '2028-01-31']],
    [{ unit: 'week', count: 2 }, ['2024-02-14', '2024-02-28', '2024-03-13']],
    [{ unit: 'day', count: 30 }, ['2024-03-01', '2024-03-31']],
  ] as const)('follow any interval: %j', (interval, expected) => {
    const anchor = anchorOf(instant('2024-01-31'), 'UTC', interval, null, null);
    expect(boundaries('2024-01-31', 'UTC', interval, anchor, expected.length)).toEqual(expected);
  });

  it('stay where they are when a renewal takes another zone', () => {
    const start = instant('2026-01-01');
    const quarter = intervalOf('quarterly');
    const anchor = anchorOf(start, 'UTC', quarter, null, null);
    expect(anchor).toEqual({ day: 1, month: 1, firstStart: start });
    expect(dates([nextBoundary(instant('2026-04-01'), 'America/New_York', quarter, anchor)], 'UTC')).toEqual([
      '2026-04-01',
    ]);
    expect(nextBoundary(instant('2026-04-02'), 'America/New_York', quarter, anchor)).toBe(
      instant('2026-07-01T04:00:00Z'),
    );
  });

  it.each([
    ['America/New_York', '2026-07-01T04:00:00Z'],
    ['Asia/Tokyo', '2026-06-30T15:00:00Z'],
    ['UTC', '2026-07-01T00:00:00Z'],
  ])('give a renewal that takes another zone a whole period, never a few hours: %s', (zone, end) => {
    const quarter = intervalOf('quarterly');
    const anchor = anchorOf(instant('2026-01-01'), 'UTC', quarter, null, null);
    expect(renewalPeriod(instant('2026-04-01'), zone, quarter, anchor)).toEqual(period('2026-04-01', end));
  });

  it.each([
    ['UTC', '2026-01-01', 'America/New_York', '2026-01-08', '2026-01-15T05:00:00Z'],
    ['UTC', '2026-01-31T20:00:00Z', 'Asia/Tokyo', '2026-02-05', '2026-02-11T15:00:00Z'],
  ])('keep their dates after a change from %s: weeks from %s, in %s', (firstZone, from, zone, start, end) => {
    const week: Interval = { unit: 'week', count: 1 };
    const firstStart = instant(from);
    const anchor = { day: 1, month: null, firstStart, firstZone };
    expect(nextBoundary(instant('2026-01-31T20:00:00Z'), firstZone, week, anchor)).toBe(
      instant('2026-02-05'),
    );
    expect(renewalPeriod(instant(start), zone, week, anchor)).toEqual(period(start, end));
    const { firstZone: _, ...moved } = anchor;
    expect(renewalPeriod(instant(start), zone, week, moved).end).not.toBe(instant(end));
  });

  it('give a daily renewal between two boundaries the rest of its day', () => {
    const day: Interval = { unit: 'day', count: 1 };
    const start = instant('2026-01-02');
    const anchor = anchorOf(instant('2026-01-01'), 'UTC', day, null, null);
    // Midnight in Kamchatka is noon in UTC.
    expect(renewalPeriod(start, 'Asia/Kamchatka', day, anchor)).toEqual(
      period('2026-01-02', '2026-01-02T12:00:00Z'),
    );
  });

  it('need an interval of one or more', () => {
    const anchor = anchorOf(instant('2026-01-01'), 'UTC', intervalOf('monthly'), null, null);
    for (const count of [0, -1, 1.5]) {
      const interval: Interval = { unit: 'month', count };
      expect(() => nextBoundary(instant('2026-01-01'), 'UTC', interval, anchor)).toThrow(
        `An interval has 1 or more whole units, not ${count}.`,
      );
    }
  });

  it('need a first start that is an instant, and are not sought for ever without one', () => {
    const anchor: Anchor = { day: 1, month: null, firstStart: 'odd' as Instant };
    for (const zone of ['UTC', 'Europe/Warsaw']) {
      expect(() => nextBoundary(instant('2026-01-01'), zone, intervalOf('monthly'), anchor)).toThrow(
        RangeError,
      );
    }
  });

  it('keep the month that counting begins in, where it is counted by months', () => {
    const start = instant('2026-02-11');
    const monthOf = (unit: Interval['unit'], day: number | null, month: number | null) =>
      anchorOf(start, 'UTC', { unit, count: 1 }, day, month).month;
    expect([monthOf('month', null, null), monthOf('year', 20, null), monthOf('year', 1, 7)]).toEqual([
      2, 1, 7,
    ]);
    expect([monthOf('day', null, null), monthOf('week', 1, null)]).toEqual([null, null]);
  });
});

describe('the full period', () => {
  it.each([
    ['2026-01-11', 'monthly', 1, null, '2026-01-01', '2026-02-01'],
    ['2026-02-11', 'quarterly', 1, null, '2026-02-01', '2026-05-01'],
    ['2026-01-01T12:00:00Z', 'monthly', null, null, '2026-01-01', '2026-02-01'],
    ['2026-01-31', 'monthly', null, null, '2026-01-31', '2026-02-28'],
    ['2026-01-15', 'yearly', 1, 7, '2025-07-01', '2026-07-01'],
    ['2026-02-28', 'monthly', 31, null, '2026-02-28', '2026-03-31'],
  ] as const)('of a start at %s, %s, day %s, month %s', (start, duration, day, month, from, to) => {
    const interval = intervalOf(duration);
    const anchor = anchorOf(instant(start), 'UTC', interval, day, month);
    expect(fullPeriodOf(instant(start), 'UTC', interval, anchor)).toEqual(period(from, to));
  });

  it('is half-open: a boundary is in the period that it starts', () => {
    const interval = intervalOf('monthly');
    const anchor = anchorOf(instant('2026-01-31'), 'UTC', interval, null, null);
    const at = (text: string) => fullPeriodOf(instant(text), 'UTC', interval, anchor);
    expect(at('2026-02-27T23:59:59.999999Z')).toEqual(period('2026-01-31', '2026-02-28'));
    expect(at('2026-02-28')).toEqual(period('2026-02-28', '2026-03-31'));
    expect(at('2025-12-30')).toEqual(period('2025-11-30', '2025-12-31'));
  });
});

describe('windows', () => {
  const january = period('2026-01-01', '2026-02-01');
  const shown = (windows: { window: Period; full: Period }[]) =>
    windows.map(({ window, full }) => [
      ...dates([window.start, window.end]),
      ...dates([full.start, full.end]),
    ]);

  it('are the period itself without an interval', () => {
    expect(windowsOf(january, 'UTC', null, january.start)).toEqual([{ window: january, full: january }]);
    expect(windowsOf(period('2026-01-01', '2026-01-01'), 'UTC', null, january.start)).toEqual([]);
  });

  it('are cut at the end of the period, and know their full length', () => {
    const weeks = windowsOf(january, 'UTC', { unit: 'week', count: 1 }, january.start);
    expect(shown(weeks).map(([start]) => start)).toEqual([
      '2026-01-01',
      '2026-01-08',
      '2026-01-15',
      '2026-01-22',
      '2026-01-29',
    ]);
    expect(shown(weeks).at(-1)).toEqual(['2026-01-29', '2026-02-01', '2026-01-29', '2026-02-05']);
  });

  it('begin with the period, also where counting began before it', () => {
    const cut = period('2026-01-11', '2026-02-01');
    expect(shown(windowsOf(cut, 'UTC', { unit: 'month', count: 1 }, january.start))).toEqual([
      ['2026-01-11', '2026-02-01', '2026-01-01', '2026-02-01'],
    ]);
    const noon = period('2026-01-01T12:00:00Z', '2026-01-03');
    const [first] = windowsOf(noon, 'UTC', { unit: 'day', count: 1 }, noon.start);
    expect(first).toEqual({
      window: period('2026-01-01T12:00:00Z', '2026-01-02'),
      full: period('2026-01-01', '2026-01-02'),
    });
  });

  it('keep the anchor day that was meant where their first start was clamped', () => {
    const march = period('2026-02-28', '2026-03-31');
    expect(shown(windowsOf(march, 'UTC', { unit: 'month', count: 1 }, march.start, 31))).toEqual([
      ['2026-02-28', '2026-03-31', '2026-02-28', '2026-03-31'],
    ]);
    expect(windowsOf(march, 'UTC', { unit: 'month', count: 1 }, march.start)).toHaveLength(2);
  });

  it('leave out a day that its zone left out', () => {
    const week = period('2011-12-28T10:00:00Z', '2012-01-01T10:00:00Z');
    const days = windowsOf(week, 'Pacific/Apia', { unit: 'day', count: 1 }, week.start);
    expect(
      dates(
        days.map(({ window }) => window.start),
        'Pacific/Apia',
      ),
    ).toEqual(['2011-12-28', '2011-12-29', '2011-12-31', '2012-01-01']);
  });
});

describe('what two periods share', () => {
  it('is empty when they only touch', () => {
    const a = period('2026-01-01', '2026-01-10');
    expect(isEmpty(intersect(a, period('2026-01-10', '2026-01-20')))).toBe(true);
    expect(isEmpty(intersect(a, period('2026-01-15', '2026-01-20')))).toBe(true);
    expect(intersect(a, period('2026-01-05', '2026-01-20'))).toEqual(period('2026-01-05', '2026-01-10'));
    expect(isEmpty(a)).toBe(false);
  });
});
