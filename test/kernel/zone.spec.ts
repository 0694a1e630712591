import { describe, expect, it } from '@jest/globals';
import { instant } from '../../src/kernel/instant.js';
import { isZone, localDateOf, localDateText, startOfLocalDay } from '../../src/kernel/zone.js';

const date = (text: string) => {
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  return { year, month, day };
};

describe('a time zone', () => {
  it('is named by the IANA database, never by an offset', () => {
    expect(['UTC', 'Europe/Paris', 'Asia/Kathmandu', 'Etc/GMT+5'].map(isZone)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['', '+02:00', '-05:00', 'Mars/Phobos', 'Europe/', 'Europe/Paris ', '1'].filter(isZone)).toEqual(
      [],
    );
    expect(() => localDateOf(instant('2026-01-01'), 'Mars/Phobos')).toThrow(RangeError);
    expect(() => startOfLocalDay(date('2026-01-01'), 'Mars/Phobos')).toThrow(RangeError);
  });

  it.each([
    ['2026-01-01T04:59:59.999999Z', 'America/New_York', '2025-12-31'],
    ['2026-01-01T05:00:00Z', 'America/New_York', '2026-01-01'],
    ['2026-12-31T18:15:00Z', 'Asia/Kathmandu', '2027-01-01'],
    ['2026-01-01T00:00:00Z', 'UTC', '2026-01-01'],
    ['2011-12-30T09:59:59Z', 'Pacific/Apia', '2011-12-29'],
    ['2011-12-30T10:00:00Z', 'Pacific/Apia', '2011-12-31'],
    ['2026-10-25T00:59:59Z', 'Europe/Paris', '2026-10-25'],
    ['1969-12-31T23:59:59.999999Z', 'Europe/London', '1970-01-01'],
  ])('says the local day of %s in %s', (at, zone, day) => {
    expect(localDateText(instant(at), zone)).toBe(day);
  });

  it('has its new offset from the very instant of a change, and the old one before it', () => {
    // The first call is at the change: an offset that it caches must not apply to earlier instants.
    expect(localDateText(instant('2026-03-29T01:00:00Z'), 'Europe/Berlin')).toBe('2026-03-29');
    expect(localDateText(instant('2026-03-28T22:30:00Z'), 'Europe/Berlin')).toBe('2026-03-28');
    expect(localDateText(instant('2026-03-29T22:30:00Z'), 'Europe/Berlin')).toBe('2026-03-30');
  });

  it.each([
    ['an ordinary day', '2026-01-15', 'America/New_York', '2026-01-15T05:00:00Z'],
    ['UTC', '2026-01-15', 'UTC', '2026-01-15T00:00:00Z'],
    ['the day of a change later in the day', '2026-03-29', 'Europe/Paris', '2026-03-28T23:00:00Z'],
    ['a midnight that does not exist', '2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00Z'],
    ['another', '2022-03-27', 'Asia/Beirut', '2022-03-26T22:00:00Z'],
    ['a midnight that comes twice', '2006-10-29', 'America/St_Johns', '2006-10-29T02:30:00Z'],
    ['another', '2024-11-03', 'America/Havana', '2024-11-03T04:00:00Z'],
    ['a day that was left out', '2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
    ['the day after it', '2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00Z'],
  ])('starts a day at local midnight, or the first instant there is: %s', (_, day, zone, start) => {
    expect(startOfLocalDay(date(day), zone)).toBe(instant(start));
    expect(startOfLocalDay(date(day), zone)).toBe(instant(start));
  });

  it('has no day outside the years 1 to 9999', () => {
    expect(() => startOfLocalDay({ year: 0, month: 12, day: 31 }, 'UTC')).toThrow(RangeError);
    expect(() => startOfLocalDay({ year: 10000, month: 1, day: 1 }, 'UTC')).toThrow(RangeError);
    expect(() => startOfLocalDay({ year: NaN, month: NaN, day: NaN }, 'UTC')).toThrow(RangeError);
  });
});
