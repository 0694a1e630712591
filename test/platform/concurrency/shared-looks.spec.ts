import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { SharedLooks } from '../../../src/platform/concurrency/shared-looks.js';

/** A place to look at whose answers come when the test lets them. */
function place() {
  const begun: {
    readonly key: string;
    readonly answer: (value: number) => void;
    readonly fail: () => void;
  }[] = [];
  const looks = new SharedLooks<string, number>(
    (key) =>
      new Promise((answer, reject) =>
        begun.push({ key, answer, fail: () => reject(new Error('no answer')) }),
      ),
  );
  return { begun, looks };
}

describe('a shared look', () => {
  it('begins at once for who comes alone', async () => {
    const { begun, looks } = place();
    const asked = looks.ask('a');
    begun[0]!.answer(1);
    expect(await asked).toBe(1);
  });

  it('never answers what was seen before the question', async () => {
    const { begun, looks } = place();
    const first = looks.ask('a');
    const later = [looks.ask('a'), looks.ask('a')];
    expect(begun).toHaveLength(1);
    begun[0]!.answer(1);
    expect(await first).toBe(1);
    later.push(looks.ask('a'));
    await turn();
    await turn();
    expect(begun).toHaveLength(2);
    begun[1]!.answer(2);
    expect(await Promise.all(later)).toEqual([2, 2, 2]);
  });

  it('that fails fails for those who share it, and the next one begins', async () => {
    const { begun, looks } = place();
    const first = looks.ask('a');
    const second = looks.ask('a');
    begun[0]!.fail();
    await expect(first).rejects.toThrow('no answer');
    await turn();
    await turn();
    begun[1]!.answer(2);
    expect(await second).toBe(2);
  });

  it('is of one key only', () => {
    const { begun, looks } = place();
    void looks.ask('a');
    void looks.ask('b');
    expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
  });
});
