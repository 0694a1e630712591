import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { CommandRunner } from '../../src/platform/eventsourcing/command-runner/command-runner.js';
import { PolicyCheckpoint } from '../../src/platform/eventsourcing/policies/policy-checkpoint.js';
import { PolicyWorker } from '../../src/platform/eventsourcing/policies/policy-worker.js';
import { Policies } from '../../src/platform/eventsourcing/policies/policies.js';
import { PostgresEventStore } from '../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { counter, newContext, SetClock } from './counter.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';

export const log = createLogger('silent');
export const TIMES = { graceMs: 50, firstRetryMs: 20, longestRetryMs: 40, patienceMs: 3_600_000 };

/** Starts the parts that each process has for itself. Processes share only the database. */
function startProcess(database: TestDatabase, follow: (by: number) => Promise<void>, times = TIMES) {
  const store = new PostgresEventStore(database.pool);
  const policies = new Policies();
  policies.register({
    name: 'note',
    on: ['Counted'],
    handle: ({ data }) => follow((data as { by: number }).by),
  });
  const runner = new CommandRunner(store, new SetClock(), policies, log);
  const checkpoint = new PolicyCheckpoint(database.pool);
  const worker = new PolicyWorker(store, policies, checkpoint, log, times);
  return {
    worker,
    /** Returns whether the worker has passed all of the log. */
    isDone: async () => {
      const [done, head] = [await checkpoint.load(await store.identity()), await store.head()];
      return done?.commit === head?.commit;
    },
    count: (by: number, id = 'one') => runner.run(counter, id, { by }, newContext()),
    stop: async () => {
      await worker.stop();
      await store.close();
    },
  };
}

/** Gives the tests of a block a database, empty for each test, and processes on it that are stopped after the test. */
export function processesOfTests() {
  let database: TestDatabase;
  const running: { stop(): Promise<void> }[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(() => database.pool.query('truncate events, follow_ups_checkpoint'));
  afterEach(async () => {
    for (const process of running.splice(0)) await process.stop();
  });
  afterAll(() => database.drop());
  return {
    pool: () => database.pool,
    stopAfterTest: (process: { stop(): Promise<void> }) => void running.push(process),
    start: (follow: (by: number) => Promise<void>, times = TIMES) => {
      const process = startProcess(database, follow, times);
      running.push(process);
      return process;
    },
  };
}
