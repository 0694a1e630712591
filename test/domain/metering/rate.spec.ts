import { describe, expect, it } from '@jest/globals';
import type { MetricDefinition } from '../../../src/pricing/price-content.js';
import { measureUsage } from '../../../src/metering/domain/measure-usage.js';
import type { Properties } from '../../../src/metering/domain/properties.js';
import { aBasis, aPeriod, aQuestion, aRate, readings } from '../../support/builders/metering.js';

const JANUARY = aPeriod('2026-01-01', '2026-02-01');
type Said = readonly [at: string, n?: unknown];
const measured = (
  changes: Partial<MetricDefinition>,
  said: readonly Said[],
  window = JANUARY,
  basis = aBasis(window),
) => measureUsage(aQuestion(aRate(changes), window, basis), readings(...said));

const WORKED: Said[] = [
  ['2026-01-05T10:00:00Z', 5],
  ['2026-01-05T10:30:00Z', 7],
  ['2026-01-05T11:00:00Z', 4],
  ['2026-01-05T11:00:01Z', 1],
];

describe('a rate (docs/billing.md#rates)', () => {
  it.each([
    ['sum', '16'],
    ['count', '3'],
    ['max', '7'],
    ['average', '6'],
  ] as const)(
    'is the highest %s of a stretch that ends with an event, both ends included',
    (aggregation, quantity) => {
      expect(measured({ aggregation }, WORKED).quantity).toBe(quantity);
    },
  );

  it('is 0 without events, and of absent values', () => {
    for (const aggregation of ['sum', 'count', 'max', 'average'] as const) {
      expect(measured({ aggregation }, []).quantity).toBe('0');
      const quantity = aggregation === 'count' ? '1' : '0';
      expect(measured({ aggregation }, [['2026-01-05', 'many']]).quantity).toBe(quantity);
    }
  });

  it('looks back over the start of the period, but has no stretch that ends before it', () => {
    const said: Said[] = [
      ['2025-12-31T23:00:00Z', 9],
      ['2025-12-31T23:30:00Z', 100],
    ];
    expect(measured({}, said)).toMatchObject({ quantity: '0', eventCount: 2 });
    expect(measured({}, [...said, ['2026-01-01T00:00:00Z', 1]]).quantity).toBe('110');
    expect(measured({}, [...said, ['2026-01-01T00:00:00.000001Z', 1]]).quantity).toBe('101');
    expect(measured({ aggregation: 'max' }, [...said, ['2026-01-01T00:30:00.000001Z', 1]]).quantity).toBe(
      '1',
    );
  });

  it('takes all events of one instant together', () => {
    const at = '2026-01-05T10:00:00Z';
    expect(
      measured({}, [
        [at, 5],
        [at, -3],
        [at, 1],
      ]).quantity,
    ).toBe('3');
  });

  it.each([
    ['days', '2026-01-09', '2'],
    ['days', '2026-01-09T00:00:01Z', '1'],
    ['months', '2026-01-31', '2'],
    ['total', '2026-01-31', '2'],
  ])('by %s looks back over the length of one: at %s', (granularity, at, quantity) => {
    expect(measured({ aggregation: 'count', granularity }, [['2026-01-08'], [at]]).quantity).toBe(quantity);
  });

  it('counts events that pass the filters only: golden rate-test-filter', () => {
    const within = (day: string, count: number, p?: string) =>
      readings(
        ...Array.from(
          { length: count },
          (_, i) => [`${day}T10:00:00.${String(i).padStart(3, '0')}Z`, 1] as const,
        ),
      ).map((event, i) => ({
        ...event,
        idempotencyId: `${day} ${p} ${i}`,
        properties: { n: 1, ...(p && { p }) } as Properties,
      }));
    const definition = aRate({
      granularity: 'days',
      categoricalFilters: [{ propertyName: 'p', operator: 'isnotin', comparisonValue: ['a', 'b', 'c'] }],
    });
    const events = [
      ...within('2026-01-10', 64, 'x'),
      ...within('2026-01-10', 3, 'a'),
      ...within('2026-01-19', 65),
    ];
    expect(measureUsage(aQuestion(definition, JANUARY), events).quantity).toBe('65');
  });
});
