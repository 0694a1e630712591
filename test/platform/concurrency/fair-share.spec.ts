import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { FairShare } from '../../../src/platform/concurrency/limits.js';

const bounds = { slots: 4, waitMs: 60_000, mostWaiting: 3, refusal: 'Too much at once.' };
const forEver = new AbortController().signal;

/** Returns work that ends when the test ends it. */
function works(share: FairShare) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    start: (org: string, signal = forEver) =>
      share.run(org, signal, () => {
        begun.push(org);
        return new Promise<void>((end) => ends.push(end));
      }),
    end: async () => {
      ends.shift()!();
      await turn();
    },
  };
}

describe('a share of costly work', () => {
  it('is half of the places for an organization alone, and another finds some', async () => {
    const { begun, start, end } = works(new FairShare(bounds));
    const all = [...['a', 'a', 'a', 'a'].map((org) => start(org)), start('b'), start('b'), start('c')];
    await turn();
    expect(begun.join('')).toBe('aabc');
    await end();
    expect(begun.join('')).toBe('aabc');
    await end();
    expect(begun.join('')).toBe('aabca');
    for (let left = 0; left < 5; left += 1) await end();
    await Promise.all(all);
    expect(begun.sort().join('')).toBe('aaaabbc');
  });

  it('refuses one more than may wait, and after the longest wait', async () => {
    const { start, end } = works(new FairShare(bounds));
    const running = ['a', 'a', 'a', 'a', 'a'].map((org) => start(org));
    await expect(start('a')).rejects.toMatchObject({ code: 'throttled', detail: 'Too much at once.' });
    for (let left = 0; left < 5; left += 1) await end();
    await Promise.all(running);

    const hurried = works(new FairShare({ ...bounds, slots: 1, waitMs: 5 }));
    const first = hurried.start('a');
    await expect(hurried.start('b')).rejects.toMatchObject({ code: 'throttled' });
    await hurried.end();
    await first;
    const next = hurried.start('b');
    await turn();
    expect(hurried.begun).toEqual(['a', 'b']);
    await hurried.end();
    await next;
  });

  it('lets whoever has left go, and gives the place back of work that fails', async () => {
    const share = new FairShare({ ...bounds, slots: 1 });
    const { begun, start, end } = works(share);
    const first = start('a');
    const leaving = new AbortController();
    const second = start('a', leaving.signal);
    leaving.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    await end();
    await first;
    await expect(share.run('a', forEver, () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    await expect(start('a', leaving.signal)).rejects.toThrow('left');
    const last = start('a');
    await turn();
    expect(begun).toEqual(['a', 'a']);
    await end();
    await last;
  });
});
