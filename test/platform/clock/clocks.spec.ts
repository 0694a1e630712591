import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { instant } from '../../../src/kernel/instant.js';
import { ManualClock } from '../../../src/platform/clock/manual-clock.js';
import { SystemClock } from '../../../src/platform/clock/system-clock.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

/** The clocks of a machine may differ by as much while they are set. */
const SLACK_MS = 500;

describe('the system clock', () => {
  it('says the time of the machine', async () => {
    const before = Date.now();
    const now = Date.parse(await new SystemClock().now());
    expect(now).toBeGreaterThanOrEqual(before - SLACK_MS);
    expect(now).toBeLessThanOrEqual(Date.now() + SLACK_MS);
  });

  it('never says the same time twice and never goes back', async () => {
    const clock = new SystemClock();
    const times: string[] = [];
    for (let n = 0; n < 10_000; n++) times.push(await clock.now());
    expect(new Set(times).size).toBe(times.length);
    expect([...times].sort()).toEqual(times);
  });
});

describe('the manual clock', () => {
  let database: TestDatabase;
  const january = instant('2026-01-01T00:00:00.000001Z');
  const february = instant('2026-02-01T00:00:00Z');
  const open = (start = january) => ManualClock.open(database.pool, start);

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(() => database.pool.query('truncate manual_clock'));
  afterAll(() => database.drop());

  it('stands where it was started, to the microsecond', async () => {
    const clock = await open();
    expect(await clock.now()).toBe(january);
    expect(await clock.now()).toBe(january);
  });

  it('goes forward and never back', async () => {
    const clock = await open();
    expect(await clock.advanceTo(february)).toBe(true);
    expect(await clock.advanceTo(january)).toBe(false);
    expect(await clock.advanceTo(february)).toBe(true);
    expect(await clock.now()).toBe(february);
  });

  it('is one clock for all processes, kept over restarts: a later start changes nothing', async () => {
    const first = await open();
    const second = await open(instant('2030-01-01T00:00:00Z'));
    await first.advanceTo(february);
    expect(await second.now()).toBe(february);
    expect(await (await open()).now()).toBe(february);
  });

  it('starts at the machine’s time when no start is given', async () => {
    const before = Date.now();
    const now = Date.parse(await (await ManualClock.open(database.pool, undefined)).now());
    expect(now).toBeGreaterThanOrEqual(before - SLACK_MS);
    expect(now).toBeLessThanOrEqual(Date.now() + SLACK_MS);
  });
});
