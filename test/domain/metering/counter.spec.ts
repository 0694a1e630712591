import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { MetricDefinition } from '../../../src/pricing/price-content.js';
import { sha256Hex } from '../../../src/kernel/canonical-json.js';
import { instant } from '../../../src/kernel/instant.js';
import {
  byIdBytes,
  countUsage,
  type CountedEvent,
  type UsageQuestion,
} from '../../../src/metering/domain/counter.js';
import type { Properties } from '../../../src/metering/domain/properties.js';
import { aCounter } from '../../support/builders/metering.js';

const CUSTOMER = '5d1b9e1c-77a7-4a6e-8f86-0d8a4cf1f1aa';
const SUM = { aggregation: 'sum', propertyName: 'bytes' } as const;
const question = (
  changes: Partial<MetricDefinition> = {},
  filters: UsageQuestion['filters'] = [],
): UsageQuestion => ({
  customerKey: CUSTOMER,
  definition: aCounter(changes),
  filters,
  window: { start: instant('2026-01-01'), end: instant('2026-02-01') },
});
let next = 0;
const event = (properties: Properties = {}, changes: Partial<CountedEvent> = {}): CountedEvent => {
  const idempotencyId = `id-${(next += 1)}`;
  return {
    idempotencyId,
    customerKey: CUSTOMER,
    eventName: 'request',
    time: instant('2026-01-15T12:00:00Z'),
    properties,
    bodyHash: sha256Hex(idempotencyId),
    ...changes,
  };
};
const bytes = (...values: unknown[]): CountedEvent[] =>
  values.map((value) => event({ bytes: value as string }));

describe('a counter', () => {
  it('counts events and sums values; a value that is absent is 0 (docs/billing.md#counters)', () => {
    const events = [...bytes(5, 2, 9), event()];
    expect(countUsage(question(), events)).toMatchObject({ quantity: '4', eventCount: 4, absentValues: 0 });
    expect(countUsage(question(SUM), events)).toMatchObject({
      quantity: '16',
      eventCount: 4,
      absentValues: 1,
    });
  });

  it('sums exactly, also what doubles would round, and below zero', () => {
    expect(countUsage(question(SUM), bytes(0.1, 0.2, '1e-20')).quantity).toBe('0.30000000000000000001');
    expect(countUsage(question(SUM), bytes(1, '-2.50')).quantity).toBe('-1.5');
  });

  it('reads as absent what is no number of at most 15 digits, and says how many those are', () => {
    const events = bytes(1, '2', 'three', '0x4', null, true, '1234567890123456', 0.1 + 0.2, {}, [5], '1e999');
    expect(countUsage(question(SUM), events)).toMatchObject({
      quantity: '3',
      eventCount: 11,
      absentValues: 9,
    });
  });

  it('counts nothing as 0, with the digest of nothing', () => {
    const nothing = { quantity: '0', eventCount: 0, absentValues: 0, digest: sha256Hex('') };
    expect(countUsage(question(), [])).toEqual(nothing);
    expect(countUsage(question(SUM), [])).toEqual(nothing);
  });

  it('counts events of its customer and name only', () => {
    const others = [
      event({}, { customerKey: '5d1b9e1c-77a7-4a6e-8f86-0d8a4cf1f1ab' }),
      event({}, { eventName: 'Request' }),
    ];
    expect(countUsage(question(), [event(), ...others]).eventCount).toBe(1);
  });

  it('counts an event in exactly one of two windows that follow each other', () => {
    const at = (time: string) => event({}, { time: instant(time) });
    const events = [
      at('2025-12-31T23:59:59.999999Z'),
      at('2026-01-01'),
      at('2026-01-31T23:59:59.999999Z'),
      at('2026-02-01'),
    ];
    expect(countUsage(question(), events).eventCount).toBe(2);
  });

  it.each([
    ['max', '9', 1],
    ['average', '16/3', 1],
    ['unique', '3', 1],
  ] as const)(
    'by %s leaves absent values out (docs/billing.md#counters)',
    (aggregation, quantity, absentValues) => {
      const asked = question({ aggregation, propertyName: 'bytes' });
      const events = [...bytes(5, 2, 9), event()];
      expect(countUsage(asked, events)).toMatchObject({ quantity, eventCount: 4, absentValues });
      expect(countUsage(asked, [])).toMatchObject({ quantity: '0', eventCount: 0, absentValues: 0 });
    },
  );

  it('by max is 0 at least', () => {
    expect(countUsage(question({ ...SUM, aggregation: 'max' }), bytes(-5, '-1')).quantity).toBe('0');
  });

  it('by average keeps what is exact as decimal text', () => {
    expect(countUsage(question({ ...SUM, aggregation: 'average' }), bytes(1, 2)).quantity).toBe('1.5');
  });

  it('by unique tells values apart as text, as filters do: also what is no number', () => {
    const events = bytes('a', 'b', 'a', 5, '5', '5.0', true, null, [], {});
    expect(countUsage(question({ ...SUM, aggregation: 'unique' }), events)).toMatchObject({
      quantity: '5',
      absentValues: 3,
    });
  });

  it('refuses what is no counter, and a value of no property', () => {
    expect(() => countUsage(question({ metricType: 'gauge' }), [])).toThrow('gauge is no counter');
    expect(() => countUsage(question({ aggregation: 'sum' }), [])).toThrow('over a property');
  });
});

describe('the digest of a count', () => {
  it('is sha256 over the body hashes, 32 bytes each, in the order of the ids as UTF-8 bytes', () => {
    const ids = ['b', 'a', '\u{1f600}', '\uffee', 'B'];
    const events = ids.map((idempotencyId) =>
      event({}, { idempotencyId, bodyHash: sha256Hex(idempotencyId) }),
    );
    const digest = createHash('sha256');
    for (const id of ['B', 'a', 'b', '\uffee', '\u{1f600}']) digest.update(sha256Hex(id), 'hex');
    expect(countUsage(question(), events).digest).toBe(digest.digest('hex'));
  });

  it('does not depend on the order in which events came, and does on each of them', () => {
    const events = bytes(1, 2, 3);
    expect(countUsage(question(), [...events].reverse())).toEqual(countUsage(question(), events));
    expect(countUsage(question(), events.slice(1)).digest).not.toBe(countUsage(question(), events).digest);
  });
});

describe('filters', () => {
  const counts = (changes: Partial<MetricDefinition>, ...properties: Properties[]): number =>
    countUsage(
      question(changes),
      properties.map((p) => event(p)),
    ).eventCount;
  const numeric = (operator: 'gte' | 'gt' | 'eq' | 'lt' | 'lte') => ({
    numericFilters: [{ propertyName: 'n', operator, comparisonValue: '0.3' }],
  });
  const categorical = (operator: 'isin' | 'isnotin', ...comparisonValue: string[]) => ({
    categoricalFilters: [{ propertyName: 'p', operator, comparisonValue }],
  });

  it.each([
    ['gte', 2],
    ['gt', 1],
    ['eq', 1],
    ['lt', 1],
    ['lte', 2],
  ] as const)('compare numbers exactly: %s', (operator, passing) => {
    expect(counts(numeric(operator), { n: 0.2 }, { n: '0.30' }, { n: 1 })).toBe(passing);
  });

  it('pass no comparison where the value is absent', () => {
    for (const operator of ['gte', 'gt', 'eq', 'lt', 'lte'] as const) {
      expect(counts(numeric(operator), {}, { n: null }, { n: 'many' }, { n: true })).toBe(0);
    }
  });

  it('compare categories as text: a number by its plain digits, true and false by their names', () => {
    const values = [{ p: '5' }, { p: 5 }, { p: 1e21 }, { p: true }, { p: '5.0' }];
    expect(counts(categorical('isin', '5', 'true', '1000000000000000000000'), ...values)).toBe(4);
    expect(counts(categorical('isnotin', '5', 'true', '1000000000000000000000'), ...values)).toBe(1);
  });

  it('let isnotin pass where the property is missing, and isin not', () => {
    const missing: Properties[] = [{}, { p: null }, { p: ['a'] }, { p: { a: 1 } }];
    expect(counts(categorical('isin', 'a'), ...missing)).toBe(0);
    expect(counts(categorical('isnotin', 'a'), ...missing)).toBe(4);
    expect(
      counts(
        {
          categoricalFilters: [{ propertyName: 'constructor', operator: 'isnotin', comparisonValue: ['a'] }],
        },
        {},
      ),
    ).toBe(1);
  });

  it('of the metric and of the subscription must all pass', () => {
    const asked = question({ ...numeric('gte'), ...categorical('isin', 'a', 'b') }, [
      { propertyName: 'region', value: 'eu' },
    ]);
    const passing = { n: 1, p: 'a', region: 'eu' };
    const events = [
      passing,
      { ...passing, n: 0 },
      { ...passing, p: 'c' },
      { ...passing, region: 'us' },
      { n: 1, p: 'a' },
    ];
    expect(
      countUsage(
        asked,
        events.map((p) => event(p)),
      ).eventCount,
    ).toBe(1);
  });
});

describe('the order of the ids of usage events', () => {
  it('is that of their bytes in UTF-8', () => {
    const ids = fc.string({
      unit: fc.constantFrom('a', '\u00e9', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
    });
    fc.assert(
      fc.property(ids, ids, (a, b) => {
        const order = byIdBytes({ idempotencyId: a }, { idempotencyId: b });
        expect(Math.sign(order)).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});
