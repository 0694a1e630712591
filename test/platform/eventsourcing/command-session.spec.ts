import { expect, it } from '@jest/globals';
import { streamName } from '../../../src/kernel/event.js';
import { CommandSession } from '../../../src/platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../../src/platform/eventsourcing/command-runner/command-runner.js';
import { StreamStateCache } from '../../../src/platform/eventsourcing/command-runner/stream-state-cache.js';
import { Policies } from '../../../src/platform/eventsourcing/policies/policies.js';
import { createLogger } from '../../../src/platform/telemetry/logger.js';
import { counter, newContext, ORG, SetClock } from '../../support/counter.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';

const STREAM = streamName('metric', ORG, 'one');

it('a session that meets its command as recorded by another reads the stream again', async () => {
  const store = new InMemoryEventStore();
  const runner = new CommandRunner(store, new SetClock(), new Policies(), createLogger('silent'));
  const session = new CommandSession();
  const load = () => StreamStateCache.of(store).load(STREAM, counter, session);
  const context = newContext();
  await runner.run(counter, 'one', { by: 1 }, newContext());
  expect((await load()).state).toBe(1);
  await runner.run(counter, 'one', { by: 2 }, context);
  await runner.run(counter, 'one', { by: 2 }, { ...context, session });
  expect((await load()).state).toBe(3);
});
