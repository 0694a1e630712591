import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { Batcher } from '../../../src/platform/concurrency/shared-calls.js';
import { until } from '../../support/until.js';

/** Returns work on groups that end when the test ends them. */
function work() {
  const begun: { readonly group: readonly string[]; readonly end: () => void }[] = [];
  const act = (group: readonly string[]): Promise<string[]> =>
    new Promise((resolve) => begun.push({ group, end: () => resolve(group.map((item) => `${item} done`)) }));
  return { begun, act };
}

const fault = new Error('at fault');
const failing = (group: readonly string[]): Promise<string[]> =>
  group.includes('bad') ? Promise.reject(fault) : Promise.resolve(group.map((item) => `${item} done`));

describe('a batcher', () => {
  it('collects the items that come while a group is under way into the next one, up to its largest size', async () => {
    const { begun, act } = work();
    const batcher = new Batcher(act, { most: 2 });
    const all = ['a', 'b', 'c'].map((item) => batcher.add(item));
    await turn();
    expect(begun.map(({ group }) => group)).toEqual([['a', 'b']]);
    const later = batcher.add('d');
    begun[0]!.end();
    // The next group also collects the items of this turn of the event loop.
    await turn();
    const last = batcher.add('e');
    await turn();
    expect(begun[1]!.group).toEqual(['c', 'd']);
    begun[1]!.end();
    expect(await Promise.all([...all, later])).toEqual(['a done', 'b done', 'c done', 'd done']);
    await turn();
    await turn();
    begun[2]!.end();
    expect(await last).toBe('e done');
  });

  it('lets a second group overtake a long one where several may be under way', async () => {
    const { begun, act } = work();
    const batcher = new Batcher(act, { most: 10, atOnce: 2 });
    const long = batcher.add('long');
    await turn();
    const short = batcher.add('short');
    await turn();
    begun[1]!.end();
    expect(await short).toBe('short done');
    begun[0]!.end();
    expect(await long).toBe('long done');
  });

  it('starts a second group only when the first one takes longer than the patience of those that wait', async () => {
    const { begun, act } = work();
    const batcher = new Batcher(act, { most: 10, atOnce: 2, patienceMs: 20 });
    const long = batcher.add('long');
    await turn();
    const short = [batcher.add('short'), batcher.add('brief')];
    await turn();
    expect(begun).toHaveLength(1);
    await until(() => begun.length > 1);
    expect(begun[1]!.group).toEqual(['short', 'brief']);
    begun[1]!.end();
    expect(await Promise.all(short)).toEqual(['short done', 'brief done']);
    begun[0]!.end();
    expect(await long).toBe('long done');
    await turn();
    const next = batcher.add('next');
    await turn();
    begun[2]!.end();
    expect(await next).toBe('next done');
  });

  it('does each alone where one of them is at fault, so that only that one fails', async () => {
    const batcher = new Batcher(failing, { most: 10, isFaultOfItem: (error) => error === fault });
    const outcomes = await Promise.allSettled(['a', 'bad', 'b'].map((item) => batcher.add(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('fails for all of a group where none of them is at fault', async () => {
    const batcher = new Batcher(failing, { most: 10 });
    const outcomes = await Promise.allSettled(['a', 'bad'].map((item) => batcher.add(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
