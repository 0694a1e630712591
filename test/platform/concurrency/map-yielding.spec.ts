import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { mapYielding } from '../../../src/platform/concurrency/for-each-concurrent.js';

function busyFor(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

describe('long lists that are mapped at once', () => {
  it('take turns: between two turns of the event loop one of them goes on', async () => {
    const order: string[] = [];
    const map = (name: string) =>
      mapYielding([0, 1, 2, 3], (n) => {
        busyFor(6);
        order.push(name);
        return `${name}${n}`;
      });
    let isDone = false;
    const mapped = Promise.all([map('a'), map('b'), map('c')]).finally(() => (isDone = true));
    const atOnce: number[] = [];
    for (let seen = order.length; !isDone; seen = order.length) {
      await nextTurn();
      atOnce.push(order.length - seen);
    }
    expect(await mapped).toEqual(['a', 'b', 'c'].map((name) => [0, 1, 2, 3].map((n) => `${name}${n}`)));
    expect(Math.max(...atOnce)).toBe(1);
    expect(order.join('')).toBe('abcabcabcabc');
  });
});
