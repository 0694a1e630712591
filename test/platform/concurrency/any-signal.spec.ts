import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { anySignal } from '../../../src/platform/concurrency/signals.js';

describe('joined signals', () => {
  it('abort when any of them does, however much was collected before', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const heard: number[] = [];
    const sources = Array.from({ length: 50 }, (_, index) => {
      const [quiet, loud] = [new AbortController(), new AbortController()];
      anySignal(quiet.signal, loud.signal).signal.addEventListener('abort', () => heard.push(index));
      return loud;
    });
    for (let round = 0; round < 3; round += 1) {
      await turn();
      collectGarbage();
    }
    for (const source of sources) source.abort();
    expect(heard).toHaveLength(50);
  });

  it('abort at once when one has aborted, and no more after they were released', () => {
    expect(anySignal(new AbortController().signal, AbortSignal.abort()).signal.aborted).toBe(true);
    const source = new AbortController();
    const { signal, release } = anySignal(source.signal);
    release();
    source.abort();
    expect(signal.aborted).toBe(false);
  });

  it('have the reason of the signal that aborted first', () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const { signal } = anySignal(first.signal, second.signal);
    second.abort(new Error('The client left.'));
    first.abort(new Error('It took too long.'));
    expect(signal.reason).toEqual(new Error('The client left.'));
    expect(anySignal(first.signal, second.signal).signal.reason).toEqual(new Error('It took too long.'));
  });
});
