import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { namedId } from '../../../src/kernel/ids.js';
import { instant } from '../../../src/kernel/instant.js';
import {
  CLOCK_PER_ORGANIZATION_MIGRATION,
  MANUAL_CLOCK_MIGRATION,
  ManualClock,
  SystemClock,
} from '../../../src/platform/clock/clock.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

/** Difference that the clocks of one machine may have while they are adjusted. */
const SLACK_MS = 500;
const ORG = '11111111-0000-4000-8000-000000000001';
const OTHER = '11111111-0000-4000-8000-000000000002';

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
  const open = (start = january) => new ManualClock(database.pool, start);

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(() => database.pool.query('truncate manual_clock'));
  afterAll(() => database.drop());

  it('stays at the time it was started with, to the microsecond', async () => {
    const clock = open();
    expect(await clock.now(ORG)).toBe(january);
    expect(await clock.now(ORG)).toBe(january);
  });

  it('goes forward and never back', async () => {
    const clock = open();
    expect(await clock.advanceTo(ORG, february)).toBe(true);
    expect(await clock.advanceTo(ORG, january)).toBe(false);
    expect(await clock.advanceTo(ORG, february)).toBe(true);
    expect(await clock.now(ORG)).toBe(february);
  });

  it('is one clock for all processes, kept over restarts: a later start changes nothing', async () => {
    const first = open();
    const second = open(instant('2030-01-01T00:00:00Z'));
    await first.advanceTo(ORG, february);
    expect(await second.now(ORG)).toBe(february);
    expect(await open().now(ORG)).toBe(february);
  });

  it('is one for each organization: another one stays at the time it was started with', async () => {
    const clock = open();
    await clock.now(ORG);
    expect(await clock.now(OTHER)).toBe(january);
    await clock.advanceTo(ORG, february);
    expect(await clock.now(OTHER)).toBe(january);
    expect(await clock.all()).toEqual({ latest: february, own: { [ORG]: february, [OTHER]: january } });
    expect(await clock.advanceTo(OTHER, january)).toBe(true);
    expect(await clock.now(ORG)).toBe(february);
  });

  it('of an organization that nobody has asked for begins at the start of the process that asks first', async () => {
    const later = instant('2026-06-01T00:00:00Z');
    const [first, second] = [open(later), open()];
    expect(await first.now(ORG)).toBe(later);
    expect(await second.now(ORG)).toBe(later);
    expect(await second.now(OTHER)).toBe(january);
  });

  it('that was shared by all organizations goes on as the clock of each of them', async () => {
    await database.pool.query('drop table manual_clock');
    await database.pool.query(MANUAL_CLOCK_MIGRATION);
    await database.pool.query('insert into manual_clock (now) values ($1)', [february]);
    for (const [place, org] of [ORG, ORG, OTHER].entries())
      await database.pool.query(
        `insert into api_keys (id, org, prefix, key_hash, name, scope) values ($1, $2, $3, '', '', 'admin')`,
        [namedId(`key ${place}`), org, String(place)],
      );
    await database.pool.query(CLOCK_PER_ORGANIZATION_MIGRATION);
    expect(await open().all()).toEqual({ latest: february, own: { [ORG]: february, [OTHER]: february } });
    expect(await open().now(namedId('new'))).toBe(january);
  });

  it('starts at the machine’s time when no start is given', async () => {
    const before = Date.now();
    const now = Date.parse(await new ManualClock(database.pool, undefined).now(ORG));
    expect(now).toBeGreaterThanOrEqual(before - SLACK_MS);
    expect(now).toBeLessThanOrEqual(Date.now() + SLACK_MS);
  });
});
