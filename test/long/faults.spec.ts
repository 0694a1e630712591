import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brokenIn } from '../crash/broken-in.js';
import { FaultRun } from '../crash/fault-run.js';
import { FAULTS } from '../crash/faults.js';

describe('several processes on one PostgreSQL, under load', () => {
  let run: FaultRun;
  beforeAll(async () => {
    run = await FaultRun.start();
  });
  afterAll(() => run.stop());

  it.each(Object.entries(FAULTS))('read models are a fresh fold of the log after: %s', async (_, fault) => {
    const { acknowledged, wrong } = await run.suffer(fault);
    expect(wrong).toEqual([]);
    expect(acknowledged).toBeGreaterThan(0);
  });

  it('the books hold at the end of all that', async () => {
    await run.endProcesses();
    expect(await brokenIn({ databaseUrl: run.databaseUrl })).toEqual([]);
  });
});
