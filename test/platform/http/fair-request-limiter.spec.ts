import { randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import {
  FairRequestLimiter,
  UNKNOWN_SENDER,
} from '../../../src/platform/http/rate-limits/fair-request-limiter.js';

/** Returns requests that last until the test releases them. */
function requests() {
  const shares = new FairRequestLimiter(() => 6);
  const letGo: (() => void)[] = [];
  const send = (org: string) => shares.run(org, () => new Promise<void>((resolve) => letGo.push(resolve)));
  return { send, letGo, shares };
}

/** Runs a test with mocked timers, which end only when the test lets time pass. */
async function withTimers(test: (pass: (ms: number) => Promise<void>) => Promise<void>): Promise<void> {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    await test(async (ms) => {
      mock.timers.tick(ms);
      await nextTurn();
    });
  } finally {
    mock.timers.reset();
  }
}

describe('the requests of an organization', () => {
  it('are worked on at once, all of them, while it is alone', () =>
    withTimers(async () => {
      const { send, letGo } = requests();
      const org = randomUUID();
      const sent = Array.from({ length: 100 }, () => send(org));
      await nextTurn();
      expect(letGo).toHaveLength(100);
      for (const end of letGo) end();
      await Promise.all(sent);
    }));

  it('are worked on at once also after somebody sent an unknown key', () =>
    withTimers(async () => {
      const { send, letGo } = requests();
      const org = randomUUID();
      const [lookUp, one] = [send(UNKNOWN_SENDER), send(org)];
      const first = Array.from({ length: 20 }, () => send(org));
      await nextTurn();
      expect(letGo).toHaveLength(1 + 6);
      letGo[0]!();
      await lookUp;
      const further = send(org);
      await nextTurn();
      expect(letGo).toHaveLength(1 + 1 + 20 + 1);
      for (const end of letGo) end();
      await Promise.all([one, ...first, further]);
    }));

  it('take turns beside those of others, in order', () =>
    withTimers(async () => {
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
    }));

  it('that were worked on before go first, and those with large bodies take several places', () =>
    withTimers(async () => {
      const shares = new FairRequestLimiter(() => 6);
      const begun: string[] = [];
      const ends: (() => void)[] = [];
      const [org, other] = [randomUUID(), randomUUID()];
      const start = (name: string, asked?: Parameters<FairRequestLimiter['run']>[2]) =>
        shares.run(
          org,
          () => {
            begun.push(name);
            return new Promise<void>((end) => ends.push(end));
          },
          asked,
        );
      await shares.run(other, () => Promise.resolve());
      const all = [
        ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => start(name)),
        start('new'),
        start('large', { isBegun: true, slots: 3 }),
        start('begun', { isBegun: true }),
        start('huge', { slots: 100 }),
      ];
      const endOne = async (): Promise<void> => {
        ends.shift()!();
        await nextTurn();
      };
      await nextTurn();
      expect(begun.join('')).toBe('abcdef');
      await endOne();
      await endOne();
      expect(begun).toHaveLength(6);
      await endOne();
      expect(begun.slice(6)).toEqual(['large']);
      await endOne();
      expect(begun.slice(6)).toEqual(['large', 'begun']);
      await endOne();
      expect(begun.slice(6)).toEqual(['large', 'begun', 'new']);
      await endOne();
      await endOne();
      await endOne();
      expect(begun).toHaveLength(9);
      await endOne();
      expect(begun.at(-1)).toBe('huge');
      await endOne();
      await Promise.all(all);
    }));

  it('are not begun when their caller has left meanwhile', () =>
    withTimers(async () => {
      const { send, letGo, shares } = requests();
      const [many, other] = [randomUUID(), randomUUID()];
      const first = send(other);
      const sent = Array.from({ length: 6 }, () => send(many));
      let hasLeft = false;
      const left = shares.run(many, () => Promise.reject(new Error('worked on')), { hasLeft: () => hasLeft });
      const next = send(many);
      await nextTurn();
      hasLeft = true;
      const refused = expect(left).rejects.toMatchObject({ code: 'invalid_operation' });
      letGo[1]!();
      await refused;
      await nextTurn();
      expect(letGo).toHaveLength(8);
      for (const end of letGo) end();
      await Promise.all([first, next, ...sent]);
    }));

  it('that wait for something else hold up the others for a second at most', () =>
    withTimers(async (pass) => {
      const { send, letGo } = requests();
      const [many, other] = [randomUUID(), randomUUID()];
      const first = send(other);
      const sent = Array.from({ length: 8 }, () => send(many));
      await nextTurn();
      await pass(999);
      expect(letGo).toHaveLength(7);
      await pass(1);
      expect(letGo).toHaveLength(9);
      for (const end of letGo) end();
      await Promise.all([first, ...sent]);
    }));

  it('are counted until they end where they are commands, however long they work', () =>
    withTimers(async (pass) => {
      const shares = new FairRequestLimiter(() => 1);
      const [many, other] = [randomUUID(), randomUUID()];
      await shares.run(other, () => Promise.resolve());
      const begun: string[] = [];
      let end = (): void => undefined;
      const work = () => new Promise<void>((resolve) => (end = resolve));
      const bulk = shares.run(many, work, { isCommand: true });
      const next = shares.run(many, () => Promise.resolve(begun.push('next')));
      await pass(1_200);
      expect(begun).toEqual([]);
      end();
      await Promise.all([bulk, next]);
      expect(begun).toEqual(['next']);
    }));

  it('are refused when a thousand wait', () =>
    withTimers(async () => {
      const { send, letGo } = requests();
      const [many, other] = [randomUUID(), randomUUID()];
      const first = send(other);
      const sent = Array.from({ length: 1_006 }, () => send(many));
      await expect(send(many)).rejects.toMatchObject({ code: 'throttled', retryAfterSeconds: 1 });
      for (let done = 0; done < letGo.length; done++) {
        letGo[done]!();
        if (done + 1 === letGo.length) await nextTurn();
      }
      await Promise.all([first, ...sent]);
    }));

  it('that wait begin once the others have gone, whatever comes then', () =>
    withTimers(async () => {
      let now = 10_000;
      const shares = new FairRequestLimiter(
        () => 1,
        () => now,
      );
      const [org, other] = [randomUUID(), randomUUID()];
      const begun: string[] = [];
      const ends: (() => void)[] = [];
      const send = (name: string) =>
        shares.run(org, () => {
          begun.push(name);
          return new Promise<void>((end) => ends.push(end));
        });
      await shares.run(other, () => Promise.resolve());
      now += 4_200;
      await shares.run(org, () => Promise.resolve());
      now += 600;
      const sent = [send('first'), send('waits')];
      now += 450;
      sent.push(send('later'));
      await nextTurn();
      expect(begun.sort()).toEqual(['first', 'later', 'waits']);
      for (const end of ends) end();
      await Promise.all(sent);
    }));

  it('that fail make room as well', async () => {
    const shares = new FairRequestLimiter(() => 6);
    const [org, other] = [randomUUID(), randomUUID()];
    await shares.run(other, () => Promise.resolve());
    const failed = Array.from({ length: 50 }, () => shares.run(org, () => Promise.reject(new Error('no'))));
    expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(
      Array(50).fill('rejected'),
    );
  });
});
