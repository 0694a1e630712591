import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { doStepsYielding, LongWorkQueue, mapYielding } from '../../../src/platform/concurrency/long-work.js';

function busyFor(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

async function fewTicks(): Promise<void> {
  for (let n = 0; n < 5; n++) await nextTurn();
}

describe('long lists that are mapped at once', () => {
  it('alternate: in each turn of the event loop one of them continues', async () => {
    const org = randomUUID();
    const order: string[] = [];
    const map = (name: string) =>
      mapYielding(org, [0, 1, 2, 3], (n) => {
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

describe('a long computation in steps', () => {
  it('lets others run between them, and has the result of all steps', async () => {
    let ticks = 0;
    let isOver = false;
    const count = (): void => {
      ticks += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    function* steps() {
      for (let n = 0; n < 4; n++) {
        busyFor(6);
        yield;
      }
      return 'result';
    }
    expect(await doStepsYielding(randomUUID(), steps())).toBe('result');
    isOver = true;
    expect(ticks).toBeGreaterThanOrEqual(4);
  });
});

describe('parts of long work', () => {
  const LONG = 1_000_000;
  /** Returns a queue for which no time passes, so that no part waits too long, however busy the machine is. */
  const timeless = (): LongWorkQueue => new LongWorkQueue(() => 0);

  it('wait while a request of an organization with less long work is under way', async () => {
    const queue = timeless();
    const end = queue.begin('light');
    queue.begin('heavy');
    const order: string[] = [];
    const part = queue.next('heavy', LONG).then(() => order.push('part'));
    await nextTurn();
    await nextTurn();
    order.push('request');
    end();
    await part;
    expect(order).toEqual(['request', 'part']);
  });

  it('wait no longer than a bounded time, so that each organization gets on', async () => {
    const queue = new LongWorkQueue();
    queue.begin('light');
    await queue.next('heavy', LONG);
    await queue.next('heavy', LONG);
  });

  it('wait for nobody with as much long work, and for no request that waits for its own turn', async () => {
    const queue = timeless();
    queue.begin('a');
    queue.begin('b');
    queue.begin('c');
    let done = 0;
    const parts = ['a', 'b', 'c'].map((org) => queue.next(org, LONG).then(() => (done += 1)));
    await fewTicks();
    expect(done).toBe(3);
    await Promise.all(parts);
  });

  it('run in their order where one has waited too long, whoever sent them', async () => {
    let now = 0;
    const queue = new LongWorkQueue(() => now);
    const order: string[] = [];
    const part = (org: string, worked: number) => queue.next(org, worked).then(() => order.push(org));
    const parts = [part('most', 3 * LONG), part('least', LONG)];
    now = 8;
    await Promise.all(parts);
    expect(order).toEqual(['most', 'least']);
  });

  it('of the organization with the least long work lately come first', async () => {
    const queue = timeless();
    const order: string[] = [];
    const part = (org: string, worked: number) => queue.next(org, worked).then(() => order.push(org));
    await Promise.all([part('most', 3 * LONG), part('least', LONG), part('middle', 2 * LONG)]);
    expect(order).toEqual(['least', 'middle', 'most']);
  });

  it('run at once for an organization that is alone', async () => {
    const queue = timeless();
    queue.begin('alone');
    queue.begin('alone');
    let isDone = false;
    const part = queue.next('alone', LONG).then(() => (isDone = true));
    await fewTicks();
    expect(isDone).toBe(true);
    await part;
  });
});
