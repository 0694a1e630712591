import { describe, expect, it } from '@jest/globals';
import {
  clampedDate,
  dateOfDayNumber,
  dateText,
  dayNumber,
  daysInMonth,
  isLeapYear,
  monthNumber,
} from '../../src/kernel/instant.js';

describe('the calendar', () => {
  it('knows leap years and the lengths of months', () => {
    expect([1900, 2000, 2023, 2024, 2100].map(isLeapYear)).toEqual([false, true, false, true, false]);
    expect(Array.from({ length: 12 }, (_, month) => daysInMonth(2026, month + 1))).toEqual([
      31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31,
    ]);
    expect(daysInMonth(2024, 2)).toBe(29);
  });

  it('numbers days as the Gregorian calendar does, from year 1 to 9999', () => {
    const first = dayNumber({ year: 1, month: 1, day: 1 });
    const last = dayNumber({ year: 9999, month: 12, day: 31 });
    expect([first * 86_400_000, last * 86_400_000]).toEqual([
      Date.parse('0001-01-01T00:00:00Z'),
      Date.parse('9999-12-31T00:00:00Z'),
    ]);
    // One assertion compares all days, as an assertion per day would take seconds.
    const days = Array.from({ length: Math.floor((last - first) / 97) }, (_, n) => first + n * 97);
    expect(days.length).toBeGreaterThan(37_000);
    expect(days.map((day) => `${dateText(dateOfDayNumber(day))} ${dayNumber(dateOfDayNumber(day))}`)).toEqual(
      days.map((day) => `${new Date(day * 86_400_000).toISOString().slice(0, 10)} ${day}`),
    );
  });

  it('clamps a day to the end of a shorter month, and only there', () => {
    const january = monthNumber({ year: 2024, month: 1 });
    expect([0, 1, 2, 3, 13].map((n) => dateText(clampedDate(january + n, 31)))).toEqual([
      '2024-01-31',
      '2024-02-29',
      '2024-03-31',
      '2024-04-30',
      '2025-02-28',
    ]);
    expect(dateText(clampedDate(january - 1, 15))).toBe('2023-12-15');
  });
});
