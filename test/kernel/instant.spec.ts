import { describe, expect, it } from '@jest/globals';
import {
  formatInstant,
  fromMicros,
  instant,
  parseInstant,
  plusMicros,
  toMicros,
} from '../../src/kernel/instant.js';

describe('an instant', () => {
  it.each([
    ['2026-01-31T12:30:00Z', '2026-01-31T12:30:00.000000Z'],
    ['2026-01-31t12:30:00z', '2026-01-31T12:30:00.000000Z'],
    ['2026-01-31T12:30:00+02:00', '2026-01-31T10:30:00.000000Z'],
    ['2026-01-31T12:30:00-0330', '2026-01-31T16:00:00.000000Z'],
    ['2026-01-01T00:30:00.5+01:00', '2025-12-31T23:30:00.500000Z'],
    ['2026-01-31 12:30:00', '2026-01-31T12:30:00.000000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000000Z'],
    [' 2026-01-31 ', '2026-01-31T00:00:00.000000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000000Z'],
    ['0099-03-01', '0099-03-01T00:00:00.000000Z'],
  ])(
    'is read from RFC 3339 with any offset, without one as UTC, from a date as midnight: %s',
    (text, read) => {
      expect(parseInstant(text)).toBe(read);
    },
  );

  it.each([
    '',
    'now',
    '2026-13-01',
    '2026-02-29',
    '2026-02-30T00:00:00.000000Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:60:00Z',
    '2026-01-31T12:00:60Z',
    '2026-01-31T12:00',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00+0',
    '2026-1-31',
    '12026-01-31',
    '0000-01-01',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-00:01',
    '2026-01-31+02:00',
    '2026-01-31Z',
    '1767225600',
  ])('is not read from %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
    expect(() => instant(text)).toThrow(RangeError);
  });

  it.each(['2026-01-31T24:00:00.000000Z', '2026-01-31T12:60:00.000000Z', '2026-01-31T12:00:61.000000Z'])(
    'in its own form has a time of day that exists: %s does not',
    (text) => expect(parseInstant(text)).toBeUndefined(),
  );

  it('keeps microseconds and drops what is finer', () => {
    expect(instant('2026-01-31T23:59:59.999999Z')).toBe('2026-01-31T23:59:59.999999Z');
    expect(instant('2026-01-31T23:59:59.123456789Z')).toBe('2026-01-31T23:59:59.123456Z');
    const long = `2026-01-31T23:59:59.123456${'7'.repeat(50)}`;
    for (const zone of ['Z', '', 'z', '+00:00']) {
      expect(parseInstant(`${long}${zone}`)).toBe('2026-01-31T23:59:59.123456Z');
    }
    expect(parseInstant('2026-01-31 23:59:59.0000000000001+01:00')).toBe('2026-01-31T22:59:59.000000Z');
    expect(parseInstant('2026-01-31T23:59:59.Z')).toBeUndefined();
  });

  it('is not read from text without an end', () => {
    for (const filler of ['7', ' ']) {
      expect(parseInstant(`2026-01-31T23:59:59.1${filler.repeat(1_000_000)}Z`)).toBeUndefined();
    }
  });

  it('moves by microseconds over years and before 1970', () => {
    expect(plusMicros(instant('2026-01-01T00:00:00Z'), -1n)).toBe('2025-12-31T23:59:59.999999Z');
    expect(plusMicros(instant('1970-01-01'), -1n)).toBe('1969-12-31T23:59:59.999999Z');
    expect(toMicros(instant('1969-12-31T23:59:59.999999Z'))).toBe(-1n);
    expect(() => plusMicros(instant('9999-12-31T23:59:59.999999Z'), 1n)).toThrow(RangeError);
    expect(() => fromMicros(toMicros(instant('0001-01-01')) - 1n)).toThrow(RangeError);
  });

  it('shows whole seconds without a fraction', () => {
    expect(formatInstant(instant('2026-01-31'))).toBe('2026-01-31T00:00:00Z');
    expect(formatInstant(instant('2026-01-31T23:59:59.999999Z'))).toBe('2026-01-31T23:59:59.999999Z');
    expect(formatInstant(instant('2026-01-31T00:00:00.5Z'))).toBe('2026-01-31T00:00:00.500000Z');
  });
});
