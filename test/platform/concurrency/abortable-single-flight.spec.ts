import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { AbortableSingleFlight } from '../../../src/platform/concurrency/shared-calls.js';

const forEver = new AbortController().signal;

function asked() {
  const flights = new AbortableSingleFlight<number>();
  const works: { signal: AbortSignal; answer: (value: number) => void; fail: (error: Error) => void }[] = [];
  const ask = (signal = forEver) =>
    flights.run(
      'q',
      signal,
      (stop) => new Promise((answer, fail) => works.push({ signal: stop, answer, fail })),
    );
  return { works, ask };
}

describe('answers that are shared', () => {
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
    // A caller that waits for the next flight leaves before that flight begins.
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
