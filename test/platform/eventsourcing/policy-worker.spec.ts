import { namedId } from '../../../src/kernel/ids.js';
import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandSession } from '../../../src/platform/eventsourcing/command-runner/command-context.js';
import { CommandRunner } from '../../../src/platform/eventsourcing/command-runner/command-runner.js';
import { PolicyCheckpoint } from '../../../src/platform/eventsourcing/policies/policy-checkpoint.js';
import { PolicyWorker } from '../../../src/platform/eventsourcing/policies/policy-worker.js';
import { Policies } from '../../../src/platform/eventsourcing/policies/policies.js';
import { PostgresEventStore } from '../../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { counter, newContext, SetClock } from '../../support/counter.js';
import { log, processesOfTests, TIMES } from '../../support/policy-process.js';
import { PATIENCE_MS, until } from '../../support/until.js';

const dies = () => Promise.reject(new Error('the process died here'));

describe('policies that a process left undone', () => {
  const { pool, start, stopAfterTest } = processesOfTests();

  it('are done from the log after a restart', async () => {
    const dying = start(dies);
    await dying.count(1);
    await dying.stop();

    const done: number[] = [];
    start(async (by) => void done.push(by)).worker.start();
    await until(() => done.length === 1);
    expect(done).toEqual([1]);
  });

  it('are done many at once, those of one stream in order', async () => {
    const dying = start(dies);
    for (let by = 1; by <= 20; by++) await dying.count(by, `counter-${by}`);
    await dying.count(21, 'counter-20');
    await dying.stop();

    const begun: number[] = [];
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const { worker } = start(async (by) => {
      begun.push(by);
      await gate;
    });
    const caughtUp = worker.catchUp();
    // No policy ends before all that may begin together have begun.
    await until(() => begun.length === 20);
    await sleep(20);
    expect(begun).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    go();
    await caughtUp;
    expect(begun).toHaveLength(21);
  });

  it('are not done by the worker of the process that did them', async () => {
    const done: number[] = [];
    // The grace is long enough for the writer on a busy machine.
    const times = { ...TIMES, graceMs: PATIENCE_MS };
    const { worker, count, isDone } = start(async (by) => void done.push(by), times);
    worker.start();
    await count(1);
    await count(2);
    await until(isDone);
    expect(done).toEqual([1, 2]);
  });

  it('are not waited for where their writer has done them, before or after they were read', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const begun: number[] = [];
    const follow = async (by: number) => {
      begun.push(by);
      if (by === 2) await finished;
    };
    const { worker, count, isDone } = start(follow, { ...TIMES, graceMs: 3_600_000 });
    await count(1);
    worker.start();
    await until(isDone);
    const second = count(2);
    await until(() => begun.includes(2));
    await sleep(500);
    expect(await isDone()).toBe(false);
    finish();
    await second;
    await until(isDone);
  });

  it('are tried again until they succeed, and one that fails holds up no other', async () => {
    const dying = start(dies);
    for (const by of [1, 2, 3]) await dying.count(by);
    await dying.stop();

    const tried: number[] = [];
    const follow = async (by: number) => {
      tried.push(by);
      if (by === 1 && tried.filter((one) => one === 1).length < 4) throw new Error('not yet');
    };
    start(follow).worker.start();
    await until(() => tried.filter((one) => one === 1).length === 4);
    expect([...new Set(tried)]).toEqual([1, 2, 3]);
    expect(tried.indexOf(3)).toBeLessThan(tried.lastIndexOf(1));
  });

  it('are found again after a restart while any of them is undone, and not once all are done', async () => {
    const dying = start(dies);
    for (const by of [1, 2]) await dying.count(by);
    await dying.stop();

    const first: number[] = [];
    const half = start(async (by) => {
      first.push(by);
      if (by === 1) throw new Error('not today');
    });
    half.worker.start();
    await until(() => first.includes(2));
    await half.stop();

    const second: number[] = [];
    const whole = start(async (by) => void second.push(by));
    whole.worker.start();
    await until(() => second.length === 2);
    await until(whole.isDone);
    await whole.stop();

    const third: number[] = [];
    const idle = start(async (by) => void third.push(by));
    idle.worker.start();
    await sleep(400);
    expect(second).toEqual([1, 2]);
    expect(third).toEqual([]);
  });

  it('are handled again by the worker of their process where they ask for it', async () => {
    const sessions: boolean[] = [];
    const store = new PostgresEventStore(pool());
    const policies = new Policies();
    let others = 0;
    policies.register(
      { name: 'once', on: ['Counted'], handle: async () => void (others += 1) },
      {
        name: 'twice',
        on: ['Counted'],
        handle: async (_, session) => {
          sessions.push(session !== undefined);
          return session ? 'again' : undefined;
        },
      },
    );
    const runner = new CommandRunner(store, new SetClock(), policies, log);
    const worker = new PolicyWorker(store, policies, new PolicyCheckpoint(pool()), log, TIMES);
    stopAfterTest({ stop: () => worker.stop().then(() => store.close()) });
    await runner.run(counter, 'one', { by: 1 }, { ...newContext(), session: new CommandSession() });
    expect(sessions).toEqual([true]);
    // The grace would be too short for the runner on a busy machine.
    worker.start();
    await until(() => sessions.length === 2);
    await sleep(3 * TIMES.graceMs);
    expect(sessions).toEqual([true, false]);
    expect(others).toBe(1);
  });

  it('are found in a log that was restored from before what the checkpoint remembers', async () => {
    const dying = start(dies);
    await dying.count(1);
    await dying.stop();
    await pool().query(
      `insert into follow_ups_checkpoint (store, position) select id, '900/900' from events`,
    );

    const done: number[] = [];
    start(async (by) => void done.push(by)).worker.start();
    await until(() => done.length === 1);
  });

  it('are found in a restored log that has grown beyond the checkpoint before the next start', async () => {
    const dying = start(dies);
    await dying.count(1);
    const { rows } = await pool().query<{ id: string; commit: string }>(
      'select id, position as commit from events',
    );
    const beyond = BigInt(rows[0]!.commit) + 2n;
    await pool().query('insert into follow_ups_checkpoint (store, position) values ($1, $2)', [
      rows[0]!.id,
      `${beyond}/${beyond}`,
    ]);
    const idle = start(dies, { ...TIMES, graceMs: 3_600_000 });
    idle.worker.start();
    await until(async () => (await pool().query('select from follow_ups_checkpoint')).rowCount === 0);
    await idle.stop();
    for (const by of [2, 3, 4]) await dying.count(by);
    await dying.stop();

    const done: number[] = [];
    start(async (by) => void done.push(by)).worker.start();
    await until(() => done.length === 4);
    expect(done).toEqual([1, 2, 3, 4]);
  });
});

describe('policies of one event', () => {
  it('run in the order of their registration, those marked last after the others', async () => {
    const policies = new Policies();
    const handled: string[] = [];
    const policy = (name: string, last?: boolean) => ({
      name,
      last,
      on: ['Counted'],
      handle: async () => void handled.push(name),
    });
    policies.register(policy('bill', true), policy('complete'), policy('release'));
    await policies.handle([{ id: namedId('an event'), type: 'Counted' } as never]);
    expect(handled).toEqual(['complete', 'release', 'bill']);
  });
});
