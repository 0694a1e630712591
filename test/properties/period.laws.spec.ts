import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { daysInMonth, fromMicros, toMicros } from '../../src/kernel/instant.js';
import {
  anchorOf,
  fractionOf,
  fullPeriodOf,
  intervalOf,
  nextBoundary,
  renewalPeriod,
  windowsOf,
  type Period,
} from '../../src/kernel/period.js';
import { ONE, ZERO, add } from '../../src/kernel/quantity.js';
import { localDateOf, startOfLocalDay } from '../../src/kernel/zone.js';
import { grids, instants, intervals, zones } from './arbitraries.js';

const cutAt = ({ start, end }: Period, share: number): Period['start'] =>
  fromMicros(toMicros(start) + ((toMicros(end) - toMicros(start)) * BigInt(share)) / 1000n);
const shares = fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { maxLength: 6 });

describe('laws of boundaries', () => {
  it('an instant is in exactly one full period, which every instant of it finds', () => {
    fc.assert(
      fc.property(
        grids,
        instants,
        fc.integer({ min: 0, max: 999 }),
        ({ zone, interval, anchor }, at, share) => {
          const full = fullPeriodOf(at, zone, interval, anchor);
          expect(full.start <= at && at < full.end).toBe(true);
          expect(fullPeriodOf(cutAt(full, share), zone, interval, anchor)).toEqual(full);
          expect(nextBoundary(at, zone, interval, anchor)).toBe(full.end);
        },
      ),
    );
  });

  it('the first period contains its start, and its full period is one interval that begins on or before it', () => {
    fc.assert(
      fc.property(grids, ({ start, zone, interval, anchor }) => {
        const end = nextBoundary(start, zone, interval, anchor);
        const full = fullPeriodOf(start, zone, interval, anchor);
        expect(full.end).toBe(end);
        expect(full.start <= start && start < end).toBe(true);
      }),
    );
  });

  it('a boundary of months or years falls on the anchor day, or the last day of a shorter month', () => {
    const months = grids.filter(
      ({ interval: { unit }, zone }) => /month|year/.test(unit) && zone !== 'Pacific/Apia',
    );
    fc.assert(
      fc.property(months, instants, ({ zone, interval, anchor }, at) => {
        const { year, month, day } = localDateOf(nextBoundary(at, zone, interval, anchor), zone);
        expect(day).toBe(Math.min(anchor.day, daysInMonth(year, month)));
      }),
    );
  });

  it('no boundary depends on the ones before it: 31 January comes back to the 31st after February', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 2040 }), zones, (year, zone) => {
        const month = intervalOf('monthly');
        const start = startOfLocalDay({ year, month: 1, day: 31 }, zone);
        const anchor = anchorOf(start, zone, month, null, null);
        const days: number[] = [];
        for (let at = start; days.length < 11;) {
          at = nextBoundary(at, zone, month, anchor);
          days.push(localDateOf(at, zone).day);
        }
        expect(days).toEqual([daysInMonth(year, 2), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
      }),
    );
  });

  it('a month anchor keeps to its months', () => {
    fc.assert(
      fc.property(instants, zones, fc.integer({ min: 1, max: 12 }), instants, (start, zone, month, at) => {
        const quarter = intervalOf('quarterly');
        const anchor = anchorOf(start, zone, quarter, 15, month);
        const found = localDateOf(nextBoundary(at, zone, quarter, anchor), zone);
        expect((found.month - month + 12) % 3).toBe(0);
      }),
    );
  });

  it('a renewal in the same zone is the next full period, in another about as long', () => {
    fc.assert(
      fc.property(grids, zones, ({ start, zone, interval, anchor }, other) => {
        const from = nextBoundary(start, zone, interval, anchor);
        const full = fullPeriodOf(from, zone, interval, anchor);
        expect(renewalPeriod(from, zone, interval, anchor)).toEqual(full);
        const moved = renewalPeriod(from, other, interval, anchor);
        const length = (period: Period) =>
          Number(toMicros(period.end) - toMicros(period.start)) / 3_600_000_000;
        expect(moved.start).toBe(from);
        expect(length(moved)).toBeGreaterThan(Math.min(length(full) / 3, length(full) - 27));
        // Boundaries that keep their dates are a day away at most, however long the interval is.
        const kept = renewalPeriod(from, other, interval, { ...anchor, firstZone: zone });
        expect(length(kept)).toBeGreaterThan(length(full) - 27);
        expect(length(kept)).toBeLessThan(length(full) + 27);
      }),
    );
  });
});

describe('laws of windows', () => {
  it('windows tile their period: no gap, no overlap, none empty, each inside its full one', () => {
    fc.assert(
      fc.property(grids, fc.option(intervals), fc.boolean(), (grid, reset, fromFull) => {
        const { start, zone, interval, anchor } = grid;
        const period = { start, end: nextBoundary(start, zone, interval, anchor) };
        const origin = fromFull ? fullPeriodOf(start, zone, interval, anchor).start : start;
        const windows = windowsOf(period, zone, reset, origin, anchor.day);
        expect(windows[0]!.window.start).toBe(period.start);
        expect(windows.at(-1)!.window.end).toBe(period.end);
        windows.forEach(({ window, full }, index) => {
          expect(window.start < window.end).toBe(true);
          expect(full.start <= window.start && window.end <= full.end).toBe(true);
          if (index > 0) expect(window.start).toBe(windows[index - 1]!.window.end);
          if (index > 0) expect(window.start).toBe(full.start);
          if (index < windows.length - 1) expect(window.end).toBe(full.end);
        });
      }),
    );
  });
});

describe('laws of proration', () => {
  it('the fractions of consecutive parts of a full period sum to 1, in both bases', () => {
    fc.assert(
      fc.property(grids, shares, fc.constantFrom('second' as const, 'day' as const), (grid, cuts, basis) => {
        const { start, zone, interval, anchor } = grid;
        const full = fullPeriodOf(start, zone, interval, anchor);
        const points = [full.start, ...cuts.sort((a, b) => a - b).map((cut) => cutAt(full, cut)), full.end];
        const fractions = points
          .slice(1)
          .map((end, index) => fractionOf({ start: points[index]!, end }, full, basis, zone));
        expect(fractions.reduce(add, ZERO)).toEqual(ONE);
      }),
    );
  });
});
