import { describe, expect, it } from '@jest/globals';
import { instant } from '../../../src/kernel/instant.js';
import {
  overlaps,
  reservationOf,
  type OverlapReservation,
} from '../../../src/subscription/domain/overlap-reservation.js';
import { aTerm } from '../../support/builders/subscription.js';

const filters = (...pairs: string[]) =>
  pairs.map((pair) => ({ propertyName: pair.split('=')[0]!, value: pair.split('=')[1]! }));

const january: OverlapReservation = {
  subscriptionId: 'a',
  versionId: 'v',
  start: instant('2026-01-01'),
  end: instant('2026-02-01'),
  filters: [],
};
const reservation = (changes: Partial<OverlapReservation>): OverlapReservation => ({
  ...january,
  subscriptionId: 'b',
  ...changes,
});
const both = (a: OverlapReservation, b: OverlapReservation) => [overlaps(a, b), overlaps(b, a)];

describe('two reservations overlap', () => {
  it('at overlapping times, and not when one begins as the other ends', () => {
    expect(both(january, reservation({}))).toEqual([true, true]);
    expect(both(january, reservation({ start: instant('2026-01-31T23:59:59.999999Z'), end: null }))).toEqual([
      true,
      true,
    ]);
    expect(both(january, reservation({ start: instant('2026-02-01'), end: null }))).toEqual([false, false]);
    expect(
      both(
        reservation({ end: null }),
        reservation({ start: instant('2040-01-01'), end: instant('2041-01-01') }),
      ),
    ).toEqual([true, true]);
    expect(
      both(reservation({ end: null }), reservation({ start: instant('2020-01-01'), end: null })),
    ).toEqual([true, true]);
  });

  it('never where one takes no time, as it was cancelled before it began', () => {
    const cancelled = reservation({ start: instant('2026-01-10'), end: instant('2026-01-10') });
    expect(both(january, cancelled)).toEqual([false, false]);
  });

  it('on the same version only', () => {
    expect(both(january, reservation({ versionId: 'w' }))).toEqual([false, false]);
  });

  it('when the filters of one contain those of the other, in any order', () => {
    const withFilters = (a: string[], b: string[]) =>
      both(reservation({ filters: filters(...a) }), reservation({ filters: filters(...b) }));
    expect(withFilters([], ['region=eu'])).toEqual([true, true]);
    expect(withFilters(['region=eu', 'tier=1'], ['tier=1', 'region=eu'])).toEqual([true, true]);
    expect(withFilters(['region=eu'], ['region=eu', 'tier=1'])).toEqual([true, true]);
    expect(withFilters(['region=eu'], ['region=us'])).toEqual([false, false]);
    expect(withFilters(['region=eu'], ['tier=1'])).toEqual([false, false]);
    expect(withFilters(['region=eu', 'tier=1'], ['region=eu', 'tier=2'])).toEqual([false, false]);
  });
});

describe('the reservation of a term', () => {
  it('is open-ended while the term renews itself', () => {
    expect(reservationOf(aTerm()).end).toBeNull();
    expect(reservationOf(aTerm({ autoRenew: false })).end).toBe(instant('2026-02-01'));
  });
});
