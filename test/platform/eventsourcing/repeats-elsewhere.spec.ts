import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  CommandSession,
  type CommandContext,
  policyContext,
} from '../../../src/platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../../src/platform/eventsourcing/command-runner/command-runner.js';
import { StreamStateCache } from '../../../src/platform/eventsourcing/command-runner/stream-state-cache.js';
import { streamName } from '../../../src/kernel/event.js';
import { instant } from '../../../src/kernel/instant.js';
import { Policies } from '../../../src/platform/eventsourcing/policies/policies.js';
import type { EventStore } from '../../../src/platform/eventsourcing/store/event-store.js';
import { createLogger } from '../../../src/platform/telemetry/logger.js';
import { counter, newContext, ORG, SetClock } from '../../support/counter.js';
import { newEvent } from '../../support/events.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';

/** Counter with snapshots: each event contains the state of all events before it. */
const counterWithSnapshots = { ...counter, snapshotEventType: 'Counted' as const };
const STREAM = streamName('metric', ORG, 'one');

/** Returns the store as another object, as another process has it: states are cached per store object. */
const elsewhere = (store: EventStore): EventStore =>
  new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });

/** The simulation (test/simulation) found these cases. */
describe('a command that another process has recorded', () => {
  const clock = new SetClock();
  let store: InMemoryEventStore;
  const count = (by: number, context: CommandContext, over: EventStore = store, rules = counter) =>
    new CommandRunner(over, clock, new Policies(), createLogger('silent')).run(rules, 'one', { by }, context);

  beforeEach(() => {
    store = new InMemoryEventStore();
  });

  it('is recognized by a process that has read the stream from a later snapshot on', async () => {
    const context = newContext({ receivedAt: clock.time });
    const first = await count(1, context, store, counterWithSnapshots);
    await count(2, newContext(), store, counterWithSnapshots);
    const repeated = await count(1, context, elsewhere(store), counterWithSnapshots);
    expect(repeated.revision).toBe(first.revision);
    expect((await store.head())?.commit).toBe(2n);
  });

  it('makes a session read the stream again', async () => {
    const session = new CommandSession();
    const load = () => StreamStateCache.of(store).load(STREAM, counter, session);
    const context = newContext();
    await count(1, newContext());
    await load();
    await count(2, context);
    await count(2, { ...context, session });
    expect((await load()).state).toBe(3);
  });

  describe('in a store that does not tell a repeat from a first append', () => {
    /** Lets another process record a command before this process appends. */
    async function countBeside(context: CommandContext) {
      let recordElsewhere = async (): Promise<void> => {
        recordElsewhere = async () => {};
        clock.time = instant('2026-02-01T12:00:09Z');
        await count(1, { ...context, session: undefined }, elsewhere(store));
      };
      class SilentStore extends InMemoryEventStore {
        override async append(...append: Parameters<InMemoryEventStore['append']>) {
          await recordElsewhere();
          const { revision, position } = await super.append(...append);
          return { revision, position };
        }
      }
      store = new SilentStore();
      clock.time = instant('2026-02-01T12:00:00Z');
      const { events } = await count(1, context);
      const stored: unknown[] = [];
      for await (const event of store.readStream(STREAM)) stored.push(event);
      return { events, stored };
    }
    const cause = { ...newEvent(), stream: STREAM, revision: 0n, position: { commit: 1n, prepare: 1n } };

    it('is answered by the policy worker as it was recorded', async () => {
      const { events, stored } = await countBeside(policyContext(cause, 'count'));
      expect(events).toEqual(stored);
    });

    it('is answered as it was recorded once the policy worker may have run it', async () => {
      const session = new CommandSession();
      const now = performance.now();
      const later = jest.spyOn(performance, 'now').mockReturnValue(now + 5_000);
      const { events, stored } = await countBeside(policyContext(cause, 'count', session));
      later.mockRestore();
      expect(events).toEqual(stored);
    });
  });
});
