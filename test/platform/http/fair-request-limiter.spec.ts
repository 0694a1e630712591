import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { FairRequestLimiter } from '../../../src/platform/http/rate-limits/fair-request-limiter.js';

/** Requests that go on until they are let go, and how many are worked on. */
function requests() {
  const shares = new FairRequestLimiter();
  const letGo: (() => void)[] = [];
  const send = (org: string) => shares.run(org, () => new Promise<void>((resolve) => letGo.push(resolve)));
  return { send, letGo };
}

describe('the requests of an organization', () => {
  it('are worked on at once, all of them, while it is alone', async () => {
    const { send, letGo } = requests();
    const org = randomUUID();
    const sent = Array.from({ length: 100 }, () => send(org));
    await nextTurn();
    expect(letGo).toHaveLength(100);
    for (const end of letGo) end();
    await Promise.all(sent);
  });

  it('take turns beside those of others, in order', async () => {
    const { send, letGo } = requests();
    const [many, other] = [randomUUID(), randomUUID()];
    const first = send(other);
    const sent = Array.from({ length: 20 }, () => send(many));
    await nextTurn();
    expect(letGo).toHaveLength(7);
    const second = send(other);
    await nextTurn();
    expect(letGo).toHaveLength(8);
    letGo[1]!();
    await nextTurn();
    expect(letGo).toHaveLength(9);
    for (let done = 0; done < letGo.length; done++) {
      letGo[done]!();
      await nextTurn();
    }
    await Promise.all([first, second, ...sent]);
    expect(letGo).toHaveLength(22);
  });

  it('that fail make room as well', async () => {
    const shares = new FairRequestLimiter();
    const [org, other] = [randomUUID(), randomUUID()];
    await shares.run(other, () => Promise.resolve());
    const failed = Array.from({ length: 50 }, () => shares.run(org, () => Promise.reject(new Error('no'))));
    expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(
      Array(50).fill('rejected'),
    );
  });
});
