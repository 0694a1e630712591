import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { BodyLimiter } from '../../../src/platform/http/body/body-limiter.js';
import { TooManyRequests } from '../../../src/platform/http/rate-limits/too-many-requests.js';
import { RateLimits } from '../../../src/platform/http/rate-limits/rate-limits.js';
import type { Config } from '../../../src/platform/config/config.js';
import { FairRequestLimiter } from '../../../src/platform/http/rate-limits/fair-request-limiter.js';

const NO_LIMIT = new RateLimits({ rateLimit: 1_000_000 } as Config);

/**
 * Sends bodies whose parsing takes `spent` ms, by default none, and whose answers end when the test ends
 * them.
 */
function senders(limiter: BodyLimiter) {
  const parsed: string[] = [];
  const answers: (() => void)[] = [];
  const send = (org: string, name: string, spent = 0) => {
    const answered = new Promise<void>((resolve) => answers.push(resolve));
    return limiter.receive(org, (body) =>
      body.runExclusive(async (spend) => {
        spend(spent);
        parsed.push(name);
      }, answered),
    );
  };
  return { parsed, answers, send };
}

describe('large bodies of an organization', () => {
  it('are worked on one after the other, until each is answered, and beside those of others', async () => {
    const { parsed, answers, send } = senders(new BodyLimiter(new FairRequestLimiter(() => 6), NO_LIMIT));
    const [org, other] = [randomUUID(), randomUUID()];
    const sent = [send(org, 'first'), send(org, 'second'), send(other, 'other')];
    await nextTurn();
    expect(parsed).toEqual(['first', 'other']);
    answers[0]!();
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    expect(parsed).toEqual(['first', 'other', 'second']);
    await Promise.all(sent);
  });

  it('are followed by a pause as long as they took while others send requests', async () => {
    const requests = new FairRequestLimiter(() => 6);
    const { parsed, answers, send } = senders(new BodyLimiter(requests, NO_LIMIT));
    for (let others = 0; others < 2; others += 1) await requests.run(randomUUID(), () => Promise.resolve());
    const org = randomUUID();
    const sent = [send(org, 'first', 10), send(org, 'second')];
    await sleep(100);
    answers[0]!();
    await sleep(50);
    expect(parsed).toEqual(['first']);
    await Promise.all(sent);
    expect(parsed).toEqual(['first', 'second']);
  });

  it('are followed by a pause when they are refused, while others send requests', async () => {
    const requests = new FairRequestLimiter(() => 6);
    const limiter = new BodyLimiter(requests, NO_LIMIT);
    for (let others = 0; others < 2; others += 1) await requests.run(randomUUID(), () => Promise.resolve());
    const org = randomUUID();
    const refuse = () => Promise.reject(new Error('refused'));
    const began = performance.now();
    const sent = Array.from({ length: 6 }, () =>
      limiter.receive(org, (body) => body.runExclusive(refuse)).catch((error: Error) => error.message),
    );
    expect(await Promise.all(sent)).toEqual(Array(6).fill('refused'));
    expect(performance.now() - began).toBeGreaterThan(80);
  });

  it('are refused unread when their organization has spent what it may before their turn comes', async () => {
    const limits = new RateLimits({ rateLimit: 5 } as Config);
    const { parsed, answers, send } = senders(new BodyLimiter(new FairRequestLimiter(() => 6), limits));
    const org = randomUUID();
    const sent = [send(org, 'first'), send(org, 'second')];
    const refused = expect(sent[1]).rejects.toThrow(TooManyRequests);
    await nextTurn();
    limits.charge(org, 100);
    answers[0]!();
    await refused;
    expect(parsed).toEqual(['first']);
    await sent[0];
  });
});

describe('large bodies that arrive', () => {
  const PART = 64 * 1024;

  it('bring one part in a turn of the event loop, however many of an organization there are', async () => {
    const limiter = new BodyLimiter(new FairRequestLimiter(() => 6), NO_LIMIT);
    let arrived = 0;
    const mostOfATurn: number[] = [];
    const arrive = (org: string) =>
      limiter.receive(org, async (body) => {
        for (let part = 0; part < 5; part += 1) await body.workOnPart(PART, () => (arrived += 1));
      });
    const org = randomUUID();
    const all = Promise.all([arrive(org), arrive(org), arrive(org)]);
    // The first part of each body arrives before the limiter knows that more parts follow.
    for (let seen = arrived; arrived < 15; seen = arrived) {
      await nextTurn();
      mostOfATurn.push(arrived - seen);
    }
    await all;
    expect(Math.max(...mostOfATurn)).toBe(1);
  });

  it('wait for nothing while they are small', () => {
    const limiter = new BodyLimiter(new FairRequestLimiter(() => 6), NO_LIMIT);
    return limiter.receive(randomUUID(), async (body) => {
      expect(body.workOnPart(PART / 4, () => undefined)).toBeUndefined();
      expect(body.workOnPart(PART / 4, () => undefined)).toBeUndefined();
    });
  });
});
