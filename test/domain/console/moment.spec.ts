import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  fromLocalText,
  fromMicros,
  justBefore,
  localTextOf,
  midnightOf,
  readMoment,
  toMicros,
} from '../../../console/src/shared/moment.js';

const instants = fc
  .bigInt({ min: 0n, max: 4_000_000_000_000_000n })
  .map((micros) => ({ micros, text: fromMicros(micros) }));

describe('a moment of the console', () => {
  it('has microseconds, as the API has them', () => {
    expect(fromMicros(toMicros('2026-01-31T23:59:59.999999Z')!)).toBe('2026-01-31T23:59:59.999999Z');
    expect(justBefore('2026-02-01T00:00:00Z')).toBe('2026-01-31T23:59:59.999999Z');
    expect(fromMicros(toMicros('2026-02-01T00:00:00.5Z')!)).toBe('2026-02-01T00:00:00.500000Z');
    fc.assert(fc.property(instants, ({ micros, text }) => expect(toMicros(text)).toBe(micros)));
  });

  it('is read from any text that names one', () => {
    expect(readMoment('2026-02-01T01:00:00+01:00')).toBe('2026-02-01T00:00:00Z');
    expect(readMoment('2026-02-01')).toBe('2026-02-01T00:00:00Z');
    expect(['yesterday', '', '2026-13-01T00:00:00Z'].map(readMoment)).toEqual(Array(3).fill(undefined));
  });

  it.each(['UTC', 'Europe/Vienna', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'])(
    'is the same after a form in %s has shown it, but where its clocks show it twice',
    (zone) => {
      fc.assert(
        fc.property(instants, ({ micros }) => {
          const second = fromMicros((micros / 1_000_000n) * 1_000_000n);
          const local = localTextOf(second, zone);
          const back = fromLocalText(local, zone);
          expect(localTextOf(back, zone)).toBe(local);
          expect(back <= second).toBe(true);
        }),
      );
    },
  );

  it('that the clocks show twice is the first of the two', () => {
    expect(fromLocalText('2026-10-25T02:30:00', 'Europe/Vienna')).toBe('2026-10-25T00:30:00Z');
    expect(fromLocalText('2026-10-25T03:30:00', 'Europe/Vienna')).toBe('2026-10-25T02:30:00Z');
    expect(fromLocalText('2026-03-29T03:30:00', 'Europe/Vienna')).toBe('2026-03-29T01:30:00Z');
  });

  it('begins and ends a day; what is no day stays as it is, for the service to refuse', () => {
    expect([midnightOf('2026-02-28', 0), midnightOf('2026-02-28', 1)]).toEqual([
      '2026-02-28T00:00:00Z',
      '2026-03-01T00:00:00Z',
    ]);
    for (const text of ['2026-99-99', '2026-02-28T12:00:00Z', 'tomorrow'])
      expect(midnightOf(text, 1)).toBe(text);
  });
});
