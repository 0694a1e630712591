import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { forEachConcurrent } from '../../../src/platform/concurrency/limits.js';

/** Yields the items, then fails. */
async function* failingAfter(...items: readonly number[]): AsyncGenerator<number> {
  yield* items;
  await turn();
  throw new Error('The source failed.');
}

describe('work on every item of a source that fails', () => {
  it('has ended before the failure is thrown', async () => {
    const ended: number[] = [];
    const work = async (item: number): Promise<void> => {
      for (let round = 0; round < 5; round += 1) await turn();
      ended.push(item);
    };
    await expect(forEachConcurrent(failingAfter(1, 2), 4, work)).rejects.toThrow('The source failed.');
    expect(ended).toEqual([1, 2]);
  });

  it('is reported by its own failure when that came first', async () => {
    const work = async (): Promise<void> => {
      throw new Error('The work failed.');
    };
    await expect(forEachConcurrent(failingAfter(1), 4, work)).rejects.toThrow('The work failed.');
  });

  it('may throw before its first await, and the other work still ends first', async () => {
    const ended: number[] = [];
    const work = (item: number): Promise<void> => {
      if (item === 2) throw new Error('The work failed.');
      return turn().then(() => void ended.push(item));
    };
    await expect(forEachConcurrent([1, 2, 3], 4, work)).rejects.toThrow('The work failed.');
    expect(ended).toEqual([1]);
  });
});
