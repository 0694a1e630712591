import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { MetricDefinition } from '../../src/pricing/price-content.js';
import { fromMicros, instant, SECOND, toMicros, type Instant } from '../../src/kernel/instant.js';
import {
  add,
  divide,
  exactText,
  maxQuantity,
  quantity,
  ratio,
  readExactText,
  ZERO,
} from '../../src/kernel/quantity.js';
import { measureUsage } from '../../src/metering/domain/measure-usage.js';
import { aBasis, aGauge, aQuestion, aRate, readings } from '../support/builders/metering.js';

const START = toMicros(instant('2026-01-05T09:58:30Z'));
const at = (second: number): Instant => fromMicros(START + BigInt(second) * SECOND);
const SPAN = 600;

const history = fc.array(
  fc.tuple(
    fc.integer({ min: -60, max: SPAN - 1 }),
    fc.option(fc.integer({ min: -5, max: 9 }), { nil: undefined }),
  ),
  { maxLength: 25 },
);
const eventType = fc.constantFrom('delta' as const, 'total' as const);
const window = { start: at(0), end: at(SPAN) };

type History = readonly (readonly [second: number, n: number | undefined])[];
const measure = (definition: MetricDefinition, said: History, of = window) =>
  measureUsage(
    aQuestion(definition, of, aBasis(window)),
    readings(...said.map(([s, n]) => [at(s), n] as const)),
  ).quantity;

/** Computes the level of every second one by one, from far before the window on. */
function levels(said: History, type: 'delta' | 'total'): number[] {
  const ascending = said
    .map((event, place) => [...event, place] as const)
    .sort((a, b) => a[0] - b[0] || a[2] - b[2]);
  return Array.from({ length: SPAN }, (_, second) => {
    let level = 0;
    for (const [when, n] of ascending) {
      if (when > second || n === undefined) continue;
      level = type === 'delta' ? level + n : n;
    }
    return level;
  });
}

const LENGTH = { seconds: 1, minutes: 60, hours: 3600, days: 86_400, total: SPAN } as const;
type Unit = keyof typeof LENGTH;
const units = fc.constantFrom<[Unit, Unit | null]>(
  ['minutes', 'seconds'],
  ['hours', 'seconds'],
  ['hours', 'minutes'],
  ['days', 'minutes'],
  ['days', 'hours'],
  ['total', 'minutes'],
  ['total', 'hours'],
  ['total', 'days'],
  ['hours', null],
);

describe('a gauge', () => {
  it('is what a simulation second by second finds', () => {
    fc.assert(
      fc.property(history, eventType, units, (said, type, [granularity, proration]) => {
        const second = levels(said, type);
        const peaks = new Map<bigint, { peak: number; seconds: number }>();
        for (const [s, level] of second.entries()) {
          const bucket = proration ? (START / SECOND + BigInt(s)) / BigInt(LENGTH[proration]) : 0n;
          const { peak, seconds } = peaks.get(bucket) ?? { peak: level, seconds: 0 };
          peaks.set(bucket, { peak: Math.max(peak, level), seconds: seconds + 1 });
        }
        const divisor = proration ? LENGTH[granularity] : SPAN;
        const expected = [...peaks.values()]
          .map(({ peak, seconds }) => ratio(BigInt(peak * seconds), BigInt(divisor)))
          .reduce(add, ZERO);
        expect(measure(aGauge({ eventType: type, granularity, proration }), said)).toBe(exactText(expected));
      }),
    );
  });

  it('keeps its level where it is cut, at any instant', () => {
    fc.assert(
      fc.property(history, eventType, fc.integer({ min: 1, max: SPAN - 1 }), (said, eventType, cut) => {
        const [first, second] = [
          { start: at(0), end: at(cut) },
          { start: at(cut), end: at(SPAN) },
        ];
        const parts = (definition: MetricDefinition) =>
          [first, second].map((part) => readExactText(measure(definition, said, part)));
        const prorated = aGauge({ eventType, granularity: 'total', proration: 'seconds' });
        expect(exactText(parts(prorated).reduce(add, ZERO))).toBe(measure(prorated, said));
        const peak = aGauge({ eventType, proration: null });
        expect(exactText(parts(peak).reduce(maxQuantity))).toBe(measure(peak, said));
      }),
    );
  });
});

describe('a rate', () => {
  it('is what looking at every stretch anew finds', () => {
    const aggregations = fc.constantFrom(
      'count' as const,
      'sum' as const,
      'max' as const,
      'average' as const,
    );
    fc.assert(
      fc.property(
        history,
        aggregations,
        fc.constantFrom<Unit>('seconds', 'minutes', 'total'),
        (said, aggregation, granularity) => {
          const stretches = said
            .filter(([second]) => second >= 0)
            .map(([end]) => said.filter(([second]) => second >= end - LENGTH[granularity] && second <= end));
          const found = stretches.map((inside) => {
            const values = inside.flatMap(([, n]) => (n === undefined ? [] : quantity(String(n))));
            const sum = values.reduce(add, ZERO);
            if (aggregation === 'count') return quantity(String(inside.length));
            if (aggregation === 'max') return values.reduce(maxQuantity, ZERO);
            if (aggregation === 'sum' || values.length === 0) return sum;
            return divide(sum, ratio(BigInt(values.length), 1n));
          });
          const expected = found.length === 0 ? ZERO : found.reduce(maxQuantity);
          const property = aggregation === 'count' ? null : 'n';
          const definition = aRate({ aggregation, granularity, propertyName: property });
          expect(measure(definition, said)).toBe(exactText(expected));
        },
      ),
    );
  });
});
