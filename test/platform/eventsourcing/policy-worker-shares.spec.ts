import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { streamName } from '../../../src/kernel/event.js';
import { PostgresEventStore } from '../../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { newEvent } from '../../support/events.js';
import { processesOfTests, TIMES } from '../../support/policy-process.js';
import { until } from '../../support/until.js';

describe('policies of several organizations that dead processes left undone', () => {
  const { pool, start } = processesOfTests();

  /** Appends events as another process that has died, in streams of the given numbers: 0 for one organization, others for another. */
  async function appendDying(streams: readonly (readonly number[])[]): Promise<void> {
    const store = new PostgresEventStore(pool());
    const [stuck, other] = [randomUUID(), randomUUID()];
    for (const bys of streams) {
      const org = bys[0] === 0 ? other : stuck;
      const metadata = { ...newEvent().metadata, org };
      const events = bys.map((by) => ({ id: randomUUID(), type: 'Counted', data: { by }, metadata }));
      await store.append(streamName('organization', org, randomUUID()), 'no_stream', events);
    }
    await store.close();
  }

  it('are done for every organization while those of one do not end', async () => {
    const count = 100;
    await appendDying([...Array.from({ length: count }, (_, index) => [index + 1]), [0]]);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const done = new Set<number>();
    const process = start(async (by) => {
      if (by > 0) await ended;
      done.add(by);
    });
    process.worker.start();
    await until(() => done.size > 0);
    expect([...done]).toEqual([0]);
    end();
    await until(process.isDone);
    expect(done.size).toBe(count + 1);
  });

  it('are tried again where they do not end within the patience of the worker', async () => {
    await appendDying([[1, 2]]);
    const tried: number[] = [];
    const process = start(
      (by) => {
        tried.push(by);
        return tried.length === 1 ? new Promise<void>(() => undefined) : Promise.resolve();
      },
      { ...TIMES, patienceMs: 50 },
    );
    process.worker.start();
    await until(process.isDone);
    expect(tried.filter((by) => by === 1).length).toBeGreaterThan(1);
    expect(tried).toContain(2);
  });

  it('are done for every organization while one has more than the worker can hold, and then for that one', async () => {
    const count = 6_000;
    const streams = Array.from({ length: count / 100 }, (_, stream) =>
      Array.from({ length: 100 }, (_, index) => stream * 100 + index + 1),
    );
    await appendDying([...streams, [0]]);

    let isStuck = true;
    const done = new Set<number>();
    const process = start(async (by) => {
      if (by > 0 && isStuck) throw new Error('stuck');
      done.add(by);
    });
    process.worker.start();
    await until(() => done.size > 0);
    expect([...done]).toEqual([0]);
    expect(await process.isDone()).toBe(false);
    isStuck = false;
    await until(process.isDone);
    expect(done.size).toBe(count + 1);
  });
});
