import { describe, expect, it } from '@jest/globals';
import { canonicalJson, contentHash, isSameJson, sha256Hex } from '../../src/kernel/canonical-json.js';

describe('canonical JSON', () => {
  it('writes keys in code unit order, without blanks', () => {
    expect(canonicalJson({ b: [1, 'x', null, true], a: { '\u20ac': 1, '\r': 2, '1': 3 } })).toBe(
      '{"a":{"\\r":2,"1":3,"€":1},"b":[1,"x",null,true]}',
    );
  });

  it('writes names in order that JavaScript keeps in another one', () => {
    expect(canonicalJson({ b: { '9': 1, '10': 2 }, a: 1 })).toBe('{"a":1,"b":{"10":2,"9":1}}');
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"d":1,"c":2}}'))).toBe(
      '{"__proto__":{"c":2,"d":1},"b":1}',
    );
    const names = Array.from({ length: 60 }, (_, index) => `n${(index * 37) % 60}`);
    const many = Object.fromEntries(names.map((name) => [name, name]));
    expect(canonicalJson(many)).toBe(
      `{${names
        .sort()
        .map((name) => `"${name}":"${name}"`)
        .join()}}`,
    );
  });

  it('leaves undefined members out, and keeps the place of an undefined item', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    expect(canonicalJson([undefined, 1])).toBe('[null,1]');
    expect(canonicalJson([, 1])).toBe('[null,1]');
  });

  it('writes numbers as JSON does', () => {
    expect(canonicalJson([1e21, 1e-7, -0, 0.1])).toBe('[1e+21,1e-7,0,0.1]');
  });

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [1n], [() => 1], [Symbol('x')]])(
    'refuses what JSON cannot say: %p',
    (value) => {
      expect(() => canonicalJson(value)).toThrow(TypeError);
      expect(() => canonicalJson({ a: [value] })).toThrow(TypeError);
    },
  );

  it.each([[new Date(0)], [new Map([[1, 2]])], [new Set([1])], [new Uint8Array([1])], [/x/]])(
    'refuses objects whose content is not in their members, which would all look alike: %p',
    (value) => expect(() => canonicalJson(value)).toThrow(TypeError),
  );

  it('hashes what is equal to one text', () => {
    expect(contentHash({ a: 1, b: 2 })).toBe(contentHash({ b: 2, a: 1 }));
    expect(contentHash({ a: 1 })).not.toBe(contentHash({ a: '1' }));
    expect(contentHash({ b: 2, a: 1 })).toBe(
      '43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777',
    );
    expect(sha256Hex('ü')).toBe('607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f');
  });

  it.each([
    [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: undefined }, { a: 1, b: null }, false],
    [[1], [1, 2], false],
    [[], {}, false],
    [null, {}, false],
    ['1', 1, false],
    [new Map([[1, 2]]), new Map([[1, 2]]), false],
  ])('says of two values whether they surely have one text: %j, %j', (a, b, isSame) => {
    expect(isSameJson(a, b)).toBe(isSame);
    expect(isSameJson(b, a)).toBe(isSame);
  });
});
