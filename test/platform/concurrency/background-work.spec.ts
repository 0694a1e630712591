import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { BackgroundWork, repeat } from '../../../src/platform/concurrency/background-work.js';
import type { Role } from '../../../src/platform/config/config.js';
import { isInBackground } from '../../../src/platform/concurrency/long-work.js';

describe('background work', () => {
  it('starts when the process says so, and is no work of a request', () => {
    const work = new BackgroundWork(new Set(['scheduler']));
    const began: boolean[] = [];
    work.register('scheduler', () => void began.push(isInBackground()));
    expect(began).toEqual([]);
    work.start();
    expect(began).toEqual([true]);
    expect(isInBackground()).toBe(false);
  });

  it('starts if the process has its role, or any role', () => {
    const startedWith = (...roles: Role[]) => {
      const work = new BackgroundWork(new Set(roles));
      const began: string[] = [];
      for (const role of ['scheduler', 'projections', 'any'] as const) {
        work.register(role, () => void began.push(role));
      }
      work.start();
      return began;
    };
    expect(startedWith('scheduler')).toEqual(['scheduler', 'any']);
    expect(startedWith('api', 'projections')).toEqual(['projections', 'any']);
    expect(startedWith()).toEqual([]);
  });

  it('is told that the process stops, which waits for its end', async () => {
    const work = new BackgroundWork(new Set(['scheduler']));
    const said: string[] = [];
    let end = (): void => undefined;
    work.register('scheduler', async (stopping) => {
      stopping.addEventListener('abort', () => said.push('told'));
      await new Promise<void>((resolve) => (end = resolve));
      said.push('ended');
    });
    work.start();
    const stopped = work.onApplicationShutdown().then(() => said.push('stopped'));
    await nextTurn();
    expect(said).toEqual(['told']);
    end();
    await stopped;
    expect(said).toEqual(['told', 'ended', 'stopped']);
  });
});

describe('repeated work', () => {
  /** Repeats work with these runs, and records runs and failures. A run returns the ms to rest after it. */
  function repeating(...runs: (() => Promise<number | undefined>)[]) {
    const said: unknown[] = [];
    const stopping = new AbortController();
    const work = () => {
      said.push('work');
      return runs.shift()!();
    };
    const failed = (error: unknown) => {
      said.push(error);
      return 0;
    };
    const ended = repeat(stopping.signal, work, failed);
    return { said, ended, stop: () => stopping.abort() };
  }
  const rest = (ms: number | undefined) => () => Promise.resolve(ms);

  it('continues after each rest, until it has nothing left to do', async () => {
    const { said, ended } = repeating(rest(0), rest(1), rest(undefined));
    await ended;
    expect(said).toEqual(['work', 'work', 'work']);
  });

  it('continues after a failure', async () => {
    const { said, ended } = repeating(() => Promise.reject(new Error('no')), rest(undefined));
    await ended;
    expect(said).toEqual(['work', new Error('no'), 'work']);
  });

  it('ends at once when it is stopped while it rests', async () => {
    const { said, ended, stop } = repeating(rest(2 ** 30));
    await nextTurn();
    stop();
    await ended;
    expect(said).toEqual(['work']);
  });

  it('has not failed when it ends because it is stopped', async () => {
    let end = (_: Error): void => undefined;
    const { said, ended, stop } = repeating(() => new Promise((_, reject) => (end = reject)));
    stop();
    end(new Error('stopped'));
    await ended;
    expect(said).toEqual(['work']);
  });
});
