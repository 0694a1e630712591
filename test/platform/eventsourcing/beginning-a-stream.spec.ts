import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CommandRunner } from '../../../src/platform/eventsourcing/command-runner/command-runner.js';
import { Policies } from '../../../src/platform/eventsourcing/policies/policies.js';
import { createLogger } from '../../../src/platform/telemetry/logger.js';
import { counter, newContext, SetClock } from '../../support/counter.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';

describe('a command that begins its stream', () => {
  let store: InMemoryEventStore;
  let runner: CommandRunner;
  const count = (by: number, context = newContext({ beginsStream: true })) =>
    runner.run(counter, 'one', { by }, context);

  beforeEach(() => {
    store = new InMemoryEventStore();
    runner = new CommandRunner(store, new SetClock(), new Policies(), createLogger('silent'));
  });

  it('reads nothing', async () => {
    const read = jest.spyOn(store, 'readStream');
    expect(await count(1)).toMatchObject({ state: 1, revision: 0n });
    expect(read).not.toHaveBeenCalled();
  });

  it('is decided again on the stream where it is there already', async () => {
    await count(100);
    expect(await count(1)).toMatchObject({ state: 101, revision: 1n });
  });

  it('is recognised when it comes again', async () => {
    const context = newContext({ beginsStream: true });
    const first = await count(1, context);
    await count(5);
    expect(await count(1, context)).toEqual(first);
  });
});
