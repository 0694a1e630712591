import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonLimits } from '../../../src/platform/http/body/json-limits.js';

/** Reads the text in parts of a few bytes each, as a body arrives. */
function read(text: string, bytes = 7): JsonLimits {
  const limits = new JsonLimits(256 * 1024);
  const whole = Buffer.from(text);
  for (let at = 0; at < whole.length; at += bytes) limits.push(whole.subarray(at, at + bytes));
  return limits;
}

const refusal = (text: string): string | undefined => {
  try {
    read(text, 1_000);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the limits of a JSON text', () => {
  it.each([
    ['levels', `${'['.repeat(64)}${']'.repeat(64)}`, '['.repeat(65)],
    ['objects and lists', `[${'{},'.repeat(19_998)}{}]`, `[${'{},'.repeat(20_000)}]`],
    ['values', `[${'1,'.repeat(199_998)}1]`, `[${'1,'.repeat(200_000)}1]`],
    ['members of objects', objectOf(5_000), objectOf(5_001)],
    ['members of objects', `[${objectsOf(1_000, 100)}]`, `[${objectsOf(1_001, 100)}]`],
    ['orders', `[${ordersOf(100, 190)}]`, `[${ordersOf(110, 190)}]`],
    ['larger than 256 kB', batchOf(25, 250_000), batchOf(1, 263_000)],
    ['more than 1 MB', `{"batch":"${'x'.repeat(1_000_000)}"}`, `{"batch":"${'x'.repeat(1_060_000)}"}`],
    ['more than 1 MB', `[${batchOf(4, 250_000)}]`, `[${batchOf(5, 250_000)}]`],
    ['larger than 256 kB', batchOf(1, 1_000), batchOf(1, 300_000).slice(0, -4)],
  ])('are %s', (what, within, beyond) => {
    expect(refusal(within)).toBeUndefined();
    expect(refusal(beyond)).toContain(what);
  });

  it('count nothing inside of texts', () => {
    expect(refusal(`["${'[{,'.repeat(100_000)}", "\\"${'[{,'.repeat(100_000)}"]`)).toBeUndefined();
  });

  it('are kept by every text that is small, however it is cut', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 20 }), (text, bytes) => {
        const { hasEscapes } = read(text, bytes);
        expect(hasEscapes).toBe(/(?<!\\)(?:\\\\)*\\u/.test(text));
      }),
    );
  });

  it.each([
    ['[1e5]', true],
    ['{"a":-1.5E+9}', true],
    [`[${'9'.repeat(309)}]`, true],
    [`[${'9'.repeat(308)}, 1]`, false],
    ['["1e999", true, false, 12, 0.5]', false],
  ])('tell whether a number may be beyond a double: %s', (text, hasLargeNumbers) => {
    expect(read(text).hasLargeNumbers).toBe(hasLargeNumbers);
  });
});

function batchOf(objects: number, length: number): string {
  return `{"batch":[${Array(objects)
    .fill(`{"x":"${'x'.repeat(length)}"}`)
    .join(',')}]}`;
}

function objectOf(members: number, from = 0): string {
  return JSON.stringify(
    Object.fromEntries(Array.from({ length: members }, (_, n) => [`k${(n + from) % members}`, n])),
  );
}

function objectsOf(objects: number, members: number): string {
  return Array(objects).fill(objectOf(members)).join(',');
}

/** Returns objects with the same members, each in another order. */
function ordersOf(objects: number, members: number): string {
  return Array.from({ length: objects }, (_, n) => objectOf(members, n)).join(',');
}
