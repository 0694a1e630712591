import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DomainError } from '../../../src/kernel/errors.js';
import { instant } from '../../../src/kernel/instant.js';
import { streamName } from '../../../src/kernel/event.js';
import type { CommandContext } from '../../../src/platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../../src/platform/eventsourcing/command-runner/command-runner.js';
import { Policies } from '../../../src/platform/eventsourcing/policies/policies.js';
import {
  AppendOutcomeUnknown,
  StoreUnavailable,
  type ExpectedRevision,
  type NewEvent,
} from '../../../src/platform/eventsourcing/store/event-store.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { createLogger } from '../../../src/platform/telemetry/logger.js';
import { counter, newContext, ORG, SetClock } from '../../support/counter.js';

type Append = InMemoryEventStore['append'];

/** In-memory store whose appends a test can make fail before or after they are done. */
class FailingStore extends InMemoryEventStore {
  failures: ((append: () => ReturnType<Append>) => ReturnType<Append>)[] = [];

  override append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) {
    const append = () => super.append(stream, expected, events);
    return this.failures.shift()?.(append) ?? append();
  }
}

const STREAM = streamName('metric', ORG, 'one');

describe('a command', () => {
  let store: FailingStore;
  let clock: SetClock;
  let policies: Policies;
  let runner: CommandRunner;
  const count = (by: number, context = newContext()) => runner.run(counter, 'one', { by }, context);
  const stored = async () => {
    const events = [];
    for await (const event of store.readStream(STREAM)) events.push(event);
    return events;
  };
  const somebodyElseCounts = () =>
    new CommandRunner(store, clock, new Policies(), createLogger('silent')).run(
      counter,
      'one',
      { by: 100 },
      newContext(),
    );

  beforeEach(() => {
    store = new FailingStore();
    clock = new SetClock();
    policies = new Policies();
    runner = new CommandRunner(store, clock, policies, createLogger('silent'));
  });

  it('answers the state after it, its events as stored, and where they are', async () => {
    await count(1);
    const outcome = await count(2);
    expect(outcome).toEqual({
      state: 3,
      events: [(await stored())[1]],
      revision: 1n,
      position: { commit: 2n, prepare: 2n },
    });
  });

  it('a command with nothing to do appends nothing and says how far the stream is', async () => {
    await count(1);
    const outcome = await count(0);
    expect(outcome).toMatchObject({ state: 1, events: [], revision: 0n });
    expect(await stored()).toHaveLength(1);
  });

  it('a refused command leaves the stream as it was', async () => {
    await expect(count(-1)).rejects.toMatchObject({ code: 'invalid_operation' });
    expect(await stored()).toEqual([]);
  });

  it('a repeat of a command id is answered like the first time, whatever came after it', async () => {
    const context = newContext();
    const first = await count(1, context);
    await count(5);
    expect(await count(1, context)).toEqual(first);
    expect(await stored()).toHaveLength(2);
  });

  it('a repeat is told what the first one did when what must follow is done, and a new command nothing', async () => {
    const context = newContext();
    const first = await count(1, context);
    const followed: string[] = [];
    const follow = async ({ id }: { id: string }) => void followed.push(id);
    const restarted = new Policies();
    restarted.register({ name: 'note', on: [first.events[0]!.type], handle: follow });
    runner = new CommandRunner(store, clock, restarted, createLogger('silent'));
    expect(await runner.repeated(counter, 'one', newContext())).toBeUndefined();
    expect(await runner.repeated(counter, 'one', context)).toEqual(first);
    expect(followed).toEqual([first.events[0]!.id]);
  });

  it('a conflict is decided again on the state as it is then', async () => {
    store.failures = [
      async (append) => {
        await somebodyElseCounts();
        return append();
      },
    ];
    expect(await count(1)).toMatchObject({ state: 101, revision: 1n });
  });

  it('conflicts without end become a conflict for the caller, and nothing is written', async () => {
    const lose = async (append: () => ReturnType<Append>) => {
      await somebodyElseCounts();
      return append();
    };
    // Before each append of the command another one succeeds.
    store.failures = Array.from({ length: 10 }, () => [
      lose,
      (append: () => ReturnType<Append>) => append(),
    ]).flat();
    await expect(count(1)).rejects.toMatchObject({ code: 'conflict' });
    expect((await stored()).map(({ data }) => data)).toEqual(Array.from({ length: 10 }, () => ({ by: 100 })));
  });

  it('an append whose answer was lost is sent again with the same ids and is there once', async () => {
    store.failures = [
      async (append) => {
        await append();
        throw new AppendOutcomeUnknown('the line broke after the append');
      },
      async () => {
        throw new AppendOutcomeUnknown('and again before it');
      },
    ];
    expect(await count(1)).toMatchObject({ state: 1, revision: 0n });
    expect(await stored()).toHaveLength(1);
  });

  it('what another process has appended by the same command meanwhile is answered as it stands there', async () => {
    const context = newContext();
    const other = new CommandRunner(store, clock, new Policies(), createLogger('silent'));
    store.failures = [
      async (append) => {
        clock.time = instant('2026-01-15T11:59:00Z');
        await other.run(counter, 'one', { by: 1 }, context);
        return append();
      },
    ];
    const { events } = await count(1, context);
    expect(events).toEqual(await stored());
    expect(events[0]!.metadata.recordedAt).toBe('2026-01-15T11:59:00.000000Z');
  });

  it('a store that is down is reported as such, and the same command may come again', async () => {
    const context = newContext();
    store.failures = [() => Promise.reject(new StoreUnavailable('down'))];
    await expect(count(1, context)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await count(1, context)).toMatchObject({ state: 1, revision: 0n });
  });

  describe('whose id is new', () => {
    const firstDelivery = (): CommandContext => newContext({ isFirstDelivery: true });

    it('is decided without reading the stream, on what is remembered of it', async () => {
      await count(1, firstDelivery());
      const reads: string[] = [];
      const readStream = store.readStream.bind(store);
      store.readStream = (stream, options) => (reads.push(stream), readStream(stream, options));
      expect(await count(2, firstDelivery())).toMatchObject({ state: 3, revision: 1n });
      expect(await runner.run(counter, 'another', { by: 1 }, firstDelivery())).toMatchObject({
        state: 1,
        revision: 0n,
      });
      expect(reads).toEqual([]);
      expect(await count(0)).toMatchObject({ state: 3, revision: 1n });
    });

    it('is decided on what the stream is, also when others have written to it since', async () => {
      await count(1, firstDelivery());
      await somebodyElseCounts();
      expect(await count(1, firstDelivery())).toMatchObject({ state: 102, revision: 2n });
    });

    it('is not refused for what the stream was', async () => {
      const account: typeof counter = {
        ...counter,
        decide: ({ by }, sum) => {
          if (sum + by < 0) throw new DomainError('invalid_operation', 'There is not so much in it.');
          return [{ type: 'Counted', data: { by } }];
        },
      };
      const take = (by: number) => runner.run(account, 'one', { by: -by }, firstDelivery());
      await count(1, firstDelivery());
      await somebodyElseCounts();
      expect(await take(50)).toMatchObject({ state: 51, revision: 2n });
      await expect(take(52)).rejects.toMatchObject({ code: 'invalid_operation' });
    });

    it('says where the stream is when it has nothing to do', async () => {
      await somebodyElseCounts();
      expect(await count(0, firstDelivery())).toMatchObject({ state: 100, events: [], revision: 0n });
    });

    it('is recognised when it comes again', async () => {
      const context = firstDelivery();
      const first = await count(1, context);
      await count(1, firstDelivery());
      expect(await count(1, { ...context, isFirstDelivery: false })).toEqual(first);
      expect(await stored()).toHaveLength(2);
    });
  });

  it('is never decided before the last event of its stream', async () => {
    await count(1);
    clock.time = instant('2026-01-15T11:59:00Z');
    await count(1);
    expect((await stored())[1]!.metadata.recordedAt).toBe('2026-01-15T12:00:00.000000Z');
  });

  it('a repeated request is decided at the time it came first', async () => {
    const receivedAt = instant('2026-01-15T10:00:00Z');
    await count(1, newContext({ receivedAt }));
    expect((await stored())[0]!.metadata.recordedAt).toBe(receivedAt);
  });

  it('what follows is done before the answer, once', async () => {
    const followed: string[] = [];
    policies.register({
      name: 'note',
      on: ['Counted'],
      handle: async ({ id }) => void followed.push(id),
    });
    const context = newContext();
    const { events } = await count(1, context);
    await count(1, context);
    expect(followed).toEqual([events[0]!.id]);
  });

  it.each([
    new StoreUnavailable('the store is down'),
    new DomainError('conflict', 'Others write to what follows.'),
  ])(
    'where what follows must wait, who can repeat is asked to, and who cannot is told of the success (%s)',
    async (trouble) => {
      let waits = true;
      const follow = async () => {
        if (waits) throw trouble;
      };
      policies.register({ name: 'note', on: ['Counted'], handle: follow });
      const context = newContext();
      await expect(count(1, context)).rejects.toBe(trouble);
      expect(await count(1, newContext({ isFirstDelivery: true }))).toMatchObject({ state: 2 });
      waits = false;
      expect(await count(1, context)).toMatchObject({ state: 1 });
      expect(await stored()).toHaveLength(2);
    },
  );

  it('commands on one stream take turns: of many at once none is decided in vain', async () => {
    const append = jest.spyOn(store, 'append');
    const ones = Array.from({ length: 50 }, () => count(1));
    await Promise.all(ones);
    expect(append).toHaveBeenCalledTimes(50);
    expect(await stored()).toHaveLength(50);
  });

  it('a command that the store does not answer holds up the others for a while, and not for ever', async () => {
    let answer = (): void => undefined;
    store.failures = [(append) => new Promise((resolve) => (answer = () => resolve(append())))];
    const waits: number[] = [];
    const pause = async (ms: number) => void waits.push(ms);
    runner = new CommandRunner(store, clock, policies, createLogger('silent'), pause);
    const hanging = count(1);
    expect(await count(10)).toMatchObject({ state: 10 });
    expect(waits).toContain(1_000);
    answer();
    expect(await hanging).toMatchObject({ state: 11 });
  });

  it('what follows a command may write to its own stream', async () => {
    let isFirst = true;
    const follow = async () => {
      if (isFirst) isFirst = false;
      else return;
      await count(10);
    };
    policies.register({ name: 'count on', on: ['Counted'], handle: follow });
    const pause = () => new Promise<never>(() => undefined);
    runner = new CommandRunner(store, clock, policies, createLogger('silent'), pause);
    await count(1);
    expect(await stored()).toHaveLength(2);
  });

  it('a follower that fails does not undo a command that has succeeded', async () => {
    policies.register({ name: 'fail', on: ['Counted'], handle: () => Promise.reject(new Error('no')) });
    expect(await count(1)).toMatchObject({ state: 1 });
  });
});
