import { describe, expect, it } from '@jest/globals';
import type { MetricDefinition } from '../../../src/pricing/price-content.js';
import { measureUsage } from '../../../src/metering/domain/measure-usage.js';
import { aBasis, aGauge, aPeriod, aQuestion, readings } from '../../support/builders/metering.js';

const JANUARY = aPeriod('2026-01-01', '2026-02-01');
type Said = readonly [at: string, n?: unknown];

const measured = (
  changes: Partial<MetricDefinition>,
  said: readonly Said[],
  window = JANUARY,
  basis = aBasis(window),
) => measureUsage(aQuestion(aGauge(changes), window, basis), readings(...said));
const quantityOf = (...given: Parameters<typeof measured>): string => measured(...given).quantity;

const onDays = (days: readonly (readonly [day: number, n: unknown])[]): Said[] =>
  days.map(([day, n]) => [`2026-01-${String(day).padStart(2, '0')}`, n]);
/** Returns one reading per minute. */
const minutely = (from: string, values: readonly number[]): Said[] =>
  values.map((n, minute) => [new Date(Date.parse(from) + minute * 60_000).toISOString(), n]);
const ELEVEN = [8, 8, 8, 9, 9, 10, 11, 6, 6, 12, 0];
const DAILY = onDays([
  ...Array.from({ length: 18 }, (_, i) => [i + 1, i < 9 ? 3 : i < 12 ? 4 : i < 15 ? 5 : 6] as const),
  [19, 3],
]);
const DELTAS = onDays([3, 1, 1, 1, 0, -1, -1, -1].map((n, i) => [i + 1, n]));

describe('a gauge (docs/billing.md#gauges)', () => {
  it.each<[string, Partial<MetricDefinition>, Said[], string]>([
    [
      'months/days: 124/31',
      {},
      onDays([
        [1, 3],
        [11, 5],
        [21, 4],
      ]),
      '4',
    ],
    [
      'one high day: 95/31',
      {},
      [
        ['2026-01-01', 3],
        ['2026-01-11T10:00:00Z', 5],
        ['2026-01-11T18:00:00Z', 3],
      ],
      '95/31',
    ],
    [
      'golden gauge-no-proration',
      { proration: null },
      onDays([
        [1, 3],
        [11, 7],
        [21, 4],
      ]),
      '7',
    ],
    ['golden gauge-carried-in', {}, [['2025-12-15', 5]], '5'],
    [
      'golden gauge-delta-carried',
      { eventType: 'delta' },
      [
        ['2025-12-15', 5],
        ['2026-01-16', 1],
      ],
      '171/31',
    ],
    [
      'golden gauge-delta-peak',
      { eventType: 'delta', proration: null },
      onDays([
        [1, 3],
        [11, 4],
        [21, -6],
      ]),
      '7',
    ],
    [
      'golden gauge-hours-minutes',
      { granularity: 'hours', proration: 'minutes' },
      [
        ['2026-01-05T10:00:00Z', 60],
        ['2026-01-05T10:30:00Z', 0],
      ],
      '30',
    ],
    ['golden gauge-none', {}, [], '0'],
    ['golden gauge-test-daily', {}, DAILY, '111/31'],
    ['golden gauge-test-delta', { eventType: 'delta' }, DELTAS, '105/31'],
    [
      'golden gauge-test-subday',
      { granularity: 'hours', proration: 'minutes' },
      minutely('2026-01-05T23:55:00Z', ELEVEN),
      '1.45',
    ],
    [
      'golden gauge-test-total-granularity',
      { granularity: 'total', proration: 'minutes' },
      minutely(
        '2026-01-05T10:00:00Z',
        ELEVEN.map((n) => n * 100),
      ),
      '145/744',
    ],
    ['golden pror-lago-weighted-sum', {}, [['2026-01-05', 2500]], '67500/31'],
  ])('is worked out as %s', (_, changes, said, quantity) => {
    expect(quantityOf(changes, said)).toBe(quantity);
  });

  it('carries a level in over an empty window, with and without proration', () => {
    for (const proration of ['days', null]) {
      expect(quantityOf({ proration }, [['2020-01-01', 5]])).toBe('5');
      expect(
        quantityOf({ proration, eventType: 'delta' }, [
          ['2019-01-01', 7],
          ['2020-01-01', -2],
        ]),
      ).toBe('5');
    }
  });

  it('does not count the level before where the first instant sets another', () => {
    expect(
      quantityOf({ proration: null }, [
        ['2025-12-15', 9],
        ['2026-01-01', 2],
      ]),
    ).toBe('2');
    expect(
      quantityOf({ proration: null }, [
        ['2025-12-15', 9],
        ['2026-01-01T00:00:01Z', 2],
      ]),
    ).toBe('9');
  });

  it('is at the level after all that one instant brings, in the order of ids', () => {
    const at = '2026-01-01';
    expect(
      quantityOf({ proration: null, eventType: 'delta' }, [
        [at, 5],
        [at, -3],
        [at, 1],
      ]),
    ).toBe('3');
    expect(
      quantityOf({ proration: null }, [
        [at, 5],
        [at, 9],
        [at, 3],
      ]),
    ).toBe('3');
  });

  it('stays where it is at a value that is absent, also before the window', () => {
    const said: Said[] = [['2025-12-01', 4], ['2025-12-02', 'many'], ['2026-01-03'], ['2026-01-04', null]];
    expect(measured({}, said)).toMatchObject({ quantity: '4', eventCount: 4, absentValues: 3 });
  });

  it('reads of totals what was said last before the window and since, of deltas everything', () => {
    const said: Said[] = [
      ['2025-11-01', 1],
      ['2025-12-01', 4],
      ['2025-12-02'],
      ['2026-01-03', 5],
      ['2026-02-01', 9],
    ];
    expect(measured({}, said)).toMatchObject({ eventCount: 3, absentValues: 1 });
    expect(measured({ eventType: 'delta' }, said)).toMatchObject({ eventCount: 4, absentValues: 1 });
    expect(measured({}, said.slice(3))).toMatchObject({ eventCount: 1 });
  });

  it('measures a cut window against the full period that contains it; total is the period as it is', () => {
    const leap = aPeriod('2024-02-01', '2024-02-12');
    const said: Said[] = [['2024-01-02', 5]];
    expect(quantityOf({}, said, leap)).toBe('55/29');
    expect(quantityOf({ granularity: 'quarters' }, said, leap)).toBe('55/91');
    expect(quantityOf({ granularity: 'years' }, said, leap)).toBe('55/366');
    expect(quantityOf({ granularity: 'total' }, said, leap)).toBe('5');
    const half = aPeriod('2024-02-01', '2024-02-06T12:00:00Z');
    expect(quantityOf({ granularity: 'total' }, said, half, aBasis(leap))).toBe('2.5');
  });

  it('counts months by the anchor of the term, each against its own length', () => {
    const quarter = aPeriod('2026-01-15', '2026-04-15');
    const basis = aBasis(quarter, { anchor: { day: 15, month: 1, firstStart: quarter.start } });
    expect(quantityOf({}, [['2026-01-01', 3]], quarter, basis)).toBe('9');
    expect(
      quantityOf(
        { granularity: 'total', proration: 'months' },
        [
          ['2026-01-01', 3],
          ['2026-02-20', 9],
          ['2026-03-01', 3],
        ],
        quarter,
        basis,
      ),
    ).toBe('73/15');
  });

  it('takes the local days of the term, of 23 and 25 hours too', () => {
    const march = aPeriod('2026-03-01T05:00:00Z', '2026-04-01T04:00:00Z');
    const basis = aBasis(march, { zone: 'America/New_York' });
    const hours = 31 * 24 - 1;
    expect(
      quantityOf(
        {},
        [
          ['2026-03-08T12:00:00Z', 1],
          ['2026-03-08T13:00:00Z', 0],
        ],
        march,
        basis,
      ),
    ).toBe(`23/${hours}`);
    expect(
      quantityOf(
        { granularity: 'days', proration: 'hours' },
        [
          ['2026-03-08T05:00:00Z', 1],
          ['2026-03-09T04:00:00Z', 0],
        ],
        march,
        basis,
      ),
    ).toBe('1');
  });

  it('gives each local day its part of an hour of UTC that reaches over midnight', () => {
    const day = aPeriod('2026-01-01T18:30:00Z', '2026-01-03T18:30:00Z');
    const basis = aBasis(day, { zone: 'Asia/Kolkata' });
    const said: Said[] = [
      ['2026-01-02T18:10:00Z', 1],
      ['2026-01-02T18:15:00Z', 0],
    ];
    expect(quantityOf({ granularity: 'days', proration: 'hours' }, said, day, basis)).toBe('1/48');
  });

  it('may fall below zero, which is rated as 0', () => {
    expect(quantityOf({ eventType: 'delta' }, [['2025-12-15', -5]])).toBe('-5');
  });
});
