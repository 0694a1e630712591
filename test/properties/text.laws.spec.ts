import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, contentHash } from '../../src/kernel/canonical-json.js';
import { fromWireId, toWireId } from '../../src/kernel/ids.js';
import type { IdKind } from '../../src/kernel/ids.js';
import { formatInstant, fromMicros, instant, parseInstant, toMicros } from '../../src/kernel/instant.js';
import { localDateOf, startOfLocalDay } from '../../src/kernel/zone.js';
import { anyInstant, instants, zones } from './arbitraries.js';

/** Returns a copy in which the keys of every object are in reverse order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([key, member]) => [key, reordered(member)] as const);
  return Object.fromEntries(members.reverse());
}

describe('laws of canonical JSON', () => {
  const values = fc.jsonValue({ stringUnit: 'binary' });

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(values, (value) => expect(canonicalJson(reordered(value))).toBe(canonicalJson(value))),
    );
  });

  it('is JSON of the same value, so that different values have different texts', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('tells different values apart by hash', () => {
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    const close = fc.jsonValue({ maxDepth: 1, stringUnit: fc.constantFrom('a', '1') });
    fc.assert(
      fc.property(close, close, (a, b) => {
        expect(contentHash(a) === contentHash(b)).toBe(isDeepStrictEqual(plain(a), plain(b)));
      }),
    );
  });
});

describe('laws of instants', () => {
  it('microseconds and text say the same', () => {
    fc.assert(
      fc.property(anyInstant, (at) => {
        expect(fromMicros(toMicros(at))).toBe(at);
        expect(parseInstant(at)).toBe(at);
        expect(parseInstant(formatInstant(at))).toBe(at);
      }),
    );
  });

  it('text order is time order', () => {
    fc.assert(
      fc.property(anyInstant, anyInstant, (a, b) => {
        expect(a < b).toBe(toMicros(a) < toMicros(b));
      }),
    );
  });

  it('any offset names the same instant', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -1439, max: 1439 }), (at, minutes) => {
        const local = fromMicros(toMicros(at) + BigInt(minutes) * 60_000_000n);
        const size = Math.abs(minutes);
        const two = (n: number) => String(n).padStart(2, '0');
        const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
        expect(instant(local.replace('Z', offset))).toBe(at);
      }),
    );
  });
});

describe('laws of local days', () => {
  it('an instant is on the day that started last', () => {
    fc.assert(
      fc.property(instants, zones, (at, zone) => {
        const date = localDateOf(at, zone);
        const start = startOfLocalDay(date, zone);
        expect(start <= at).toBe(true);
        expect(localDateOf(start, zone)).toEqual(date);
        expect(toMicros(at) - toMicros(start)).toBeLessThan(26n * 3_600_000_000n);
      }),
    );
  });
});

describe('laws of ids', () => {
  const kinds: IdKind[] = [
    'org',
    'plan',
    'plan_version',
    'addon',
    'addon_version',
    'metric',
    'feature',
    'sub',
    'addon_sub',
    'credit',
    'invoice',
  ];

  it('an id comes back from the wire, with and without its prefix, and not as another kind', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.constantFrom(...kinds), fc.uuid(), (kind, other, id) => {
        const wire = toWireId(kind, id);
        expect(fromWireId(kind, wire)).toBe(id);
        expect(fromWireId(kind, wire.toUpperCase().replace(kind.toUpperCase(), kind))).toBe(id);
        expect(fromWireId(kind, id)).toBe(id);
        expect(fromWireId(other, wire)).toBe(kind === other ? id : undefined);
      }),
    );
  });
});
