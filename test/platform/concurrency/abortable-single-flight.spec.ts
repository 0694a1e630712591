import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { AbortableSingleFlight } from '../../../src/platform/concurrency/shared-calls.js';

const forEver = new AbortController().signal;

function asked() {
  const flights = new AbortableSingleFlight<number>();
  const works: { signal: AbortSignal; answer: (value: number) => void; fail: (error: Error) => void }[] = [];
  const ask = (signal = forEver, question = 'q') =>
    flights.run(
      question,
      signal,
      (stop) => new Promise((answer, fail) => works.push({ signal: stop, answer, fail })),
    );
  return { works, ask };
}

describe('answers that are shared', () => {
  it('come of one piece of work for those who ask at once, of the next for those who ask meanwhile', async () => {
    const { works, ask } = asked();
    const first = [ask(), ask(), ask()];
    await turn();
    expect(works).toHaveLength(1);
    const later = [ask(), ask()];
    const other = ask(forEver, 'other');
    await turn();
    expect(works).toHaveLength(2);
    works[0]!.answer(1);
    works[1]!.answer(7);
    expect(await Promise.all(first)).toEqual([1, 1, 1]);
    expect(await other).toBe(7);
    await turn();
    expect(works).toHaveLength(3);
    works[2]!.answer(2);
    expect(await Promise.all(later)).toEqual([2, 2]);
  });

  it('fail for all of them, and the next question begins anew', async () => {
    const { works, ask } = asked();
    const first = [ask(), ask()];
    await turn();
    works[0]!.fail(new Error('broken'));
    for (const one of first) await expect(one).rejects.toThrow('broken');
    const second = ask();
    await turn();
    works[1]!.answer(3);
    expect(await second).toBe(3);
  });

  it('are given up when all who waited have left, and not before', async () => {
    const { works, ask } = asked();
    const leaving = [new AbortController(), new AbortController()];
    const waiting = leaving.map(({ signal }) => ask(signal));
    await turn();
    leaving[0]!.abort(new Error('left'));
    await expect(waiting[0]).rejects.toThrow('left');
    expect(works[0]!.signal.aborted).toBe(false);
    leaving[1]!.abort(new Error('left'));
    await expect(waiting[1]).rejects.toThrow('left');
    expect(works[0]!.signal.aborted).toBe(true);
  });

  it('begin anew for whoever asks after all others have left', async () => {
    const { works, ask } = asked();
    const leave = async (): Promise<void> => {
      const leaving = new AbortController();
      const early = ask(leaving.signal);
      leaving.abort(new Error('left'));
      await expect(early).rejects.toThrow('left');
    };
    await leave();
    const patient = ask();
    await turn();
    const begun = works.length;
    // One that would share the next piece of work leaves before that has begun.
    await leave();
    const later = ask();
    works.at(-1)!.answer(1);
    expect(await patient).toBe(1);
    await turn();
    expect(works).toHaveLength(begun + 1);
    works.at(-1)!.answer(2);
    expect(await later).toBe(2);
  });
});
