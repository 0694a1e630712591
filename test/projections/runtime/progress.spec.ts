import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { liveBuild, moveCheckpoints } from '../../../projections/runtime/checkpoint.js';
import { ProjectionProgress } from '../../../projections/runtime/progress.js';
import type { Projection } from '../../../projections/runtime/projection.js';
import type { Position } from '../../../src/kernel/event.js';
import type { Uuid } from '../../../src/kernel/ids.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { PATIENCE_MS } from '../../support/until.js';
import { BEFORE_ALL } from '../../../src/kernel/event.js';

type Known = Pick<Projection, 'name' | 'version' | 'tables'>;
const NO_TABLE = { comment: '', columns: {}, key: [] };
const PLANS: Known = { name: 'plans', version: 2, tables: { plans: NO_TABLE } };
const INVOICES: Known = { name: 'invoices', version: 1, tables: { invoices: NO_TABLE } };
const at = (place: bigint): Position => ({ commit: place, prepare: place });

describe('progress of the read models', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    for (const projection of [PLANS, INVOICES]) await liveBuild(database.pool, projection as Projection);
    await moveTo(PLANS, BEFORE_ALL, at(5n));
    await moveTo(INVOICES, BEFORE_ALL, at(3n));
  });
  afterAll(() => database.drop());

  const moveTo = async (projection: Known, from: Position, to: Position): Promise<void> => {
    await moveCheckpoints(database.pool, [{ projection, from, to, store: undefined, epoch: 0n }]);
  };
  const progress = (): ProjectionProgress => new ProjectionProgress(database.pool, [PLANS, INVOICES]);

  it('has passed a position once every projection has', async () => {
    expect(await progress().waitFor(at(3n), 0)).toBe(true);
    expect(await progress().waitFor(at(4n), 60)).toBe(false);
  });

  it('has passed a position for tables once their projections have', async () => {
    expect(await progress().waitFor(at(5n), 60, ['plans'])).toBe(true);
    expect(await progress().waitFor(at(5n), 60, ['plans', 'invoices'])).toBe(false);
    expect(await progress().waitFor(at(5n), 0, [])).toBe(true);
  });

  it('counts who waits by projection', async () => {
    const local = progress();
    const waiting = local.waitFor(at(1000n), PATIENCE_MS, ['plans']);
    expect([local.isAwaited('plans'), local.isAwaited('invoices')]).toEqual([true, false]);
    local.advanced('plans', at(1000n));
    expect(await waiting).toBe(true);
    expect(local.isAwaited('plans')).toBe(false);
  });

  it('sees what another process has applied', async () => {
    const waiting = progress().waitFor(at(4n), PATIENCE_MS);
    await moveTo(INVOICES, at(3n), at(4n));
    expect(await waiting).toBe(true);
  });

  it('wakes up with the projections of its own process, without a look at the table', async () => {
    const local = progress();
    const waiting = local.waitFor(at(1000n), PATIENCE_MS);
    local.advanced('plans', at(1000n));
    local.advanced('invoices', at(1000n));
    expect(await waiting).toBe(true);
  });

  it('never goes back', async () => {
    const local = progress();
    for (const name of ['plans', 'invoices']) local.advanced(name, at(9n));
    local.advanced('plans', at(1n));
    expect(await local.waitFor(at(9n), 0)).toBe(true);
  });

  it('numbers the last change of an organization before a position counts as reached', async () => {
    const local = progress();
    // A look at the table, which a busy machine may take meanwhile, finds no change any more.
    await local.reached();
    const [one, other] = ['one', 'other'] as Uuid[];
    const numbers = () => [local.lastChangeOf(one!), local.lastChangeOf(other!)];
    const noted: number[][] = [];
    const waiting = local.waitFor(at(1000n), PATIENCE_MS, ['plans']).then(() => noted.push(numbers()));
    noted.push(numbers());
    local.advanced('plans', at(1000n), [one!]);
    await waiting;
    local.advanced('plans', at(1001n), []);
    noted.push(numbers());
    const [before, changed, passed] = noted;
    expect(changed![0]).toBeGreaterThan(before![0]!);
    expect([changed![1], passed]).toEqual([before![1], changed]);
  });

  it('what another process has applied may be a change of any organization', async () => {
    const local = progress();
    local.advanced('plans', at(4n), ['one' as Uuid]);
    const before = ['one', 'other'].map((org) => local.lastChangeOf(org as Uuid));
    expect(await local.waitFor(at(5n), 60, ['plans'])).toBe(true);
    for (const [index, org] of ['one', 'other'].entries())
      expect(local.lastChangeOf(org as Uuid)).toBeGreaterThan(before[index]!);
  });

  it('answers everybody who waits at once', async () => {
    const local = progress();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => local.waitFor(at(BigInt(n)), 100)),
    );
    expect(answers.filter(Boolean)).toHaveLength(5);
  });

  it('has reached what its own process has applied before the checkpoint says so', async () => {
    const local = progress();
    expect(await local.reached()).toEqual(at(4n));
    local.advanced('invoices', at(6n));
    expect(await local.reached()).toEqual(at(5n));
    local.advanced('plans', at(6n));
    expect(await local.reached()).toEqual(at(6n));
  });

  it('tells of each projection how far it is, also of one that never ran', async () => {
    const all = new ProjectionProgress(database.pool, [PLANS, { name: 'credits', tables: {} }]);
    const updatedAt = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(await all.status()).toEqual([
      { projection: 'plans', build: 2, position: at(5n), updatedAt, stopped: undefined },
      {
        projection: 'credits',
        build: undefined,
        position: undefined,
        updatedAt: undefined,
        stopped: undefined,
      },
    ]);
  });
});
