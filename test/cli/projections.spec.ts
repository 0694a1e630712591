import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROJECTIONS } from '../../projections/registry.js';
import { CliError, readCommand } from '../../src/cli/read-command.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { recount } from '../support/recount.js';
import { billedUntilMarch, shopOf } from '../support/shop.js';
import { checkpointsAtHead } from '../support/stored.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  await billedUntilMarch(app);
});
afterAll(async () => {
  await verifyAll(app);
  await app.stop();
});

const run = (...argv: string[]) => recount(app, ...argv);

describe('recount projections', () => {
  it('rebuilds every read model of a running service into what it was, and the service goes on', async () => {
    const { lines, isWell } = await run('projections', 'rebuild', '--all');
    for (const { name } of PROJECTIONS) {
      expect(lines).toContainEqual(
        expect.stringMatching(new RegExp(`^${name}: build \\d is read from now on`)),
      );
    }
    expect(lines.filter((line) => line.includes('were not what the log says'))).toEqual([]);
    expect(isWell).toBe(true);
    const one = await run('projections', 'rebuild', 'plans');
    expect(one.lines.at(-1)).toMatch(/^plans: build \d is read from now on/);
    const feature = await app.request.post('/api/features/').send({ feature_name: 'SSO' }).expect(201);
    const listed = await app.request.get('/api/features/').expect(200);
    expect(listed.headers['x-recount-stale']).toBeUndefined();
    expect(listed.body).toEqual([feature.body]);
    await app.advance('2026-04-02T00:00:00Z');
    expect(await shopOf(app).invoices()).toHaveLength(4);
  });

  it('tells how far each one is, and why one has stopped', async () => {
    await checkpointsAtHead(app);
    const well = await run('projections', 'status');
    expect(well.isWell).toBe(true);
    expect(well.lines[0]).toMatch(/^the log is at \d+\/\d+$/);
    expect(well.lines).toHaveLength(1 + PROJECTIONS.length);
    expect(well.lines).toContainEqual(expect.stringMatching(/^plans: build \d, at .*Z, up to date$/));

    const stop = 'update projection_checkpoints set stopped = $1 where projection = $2 and live';
    await app.pool.query(stop, ['an unknown event', 'plans']);
    const stopped = await run('projections', 'status');
    await app.pool.query(stop, [null, 'plans']);
    expect(stopped.isWell).toBe(false);
    expect(stopped.lines).toContainEqual(expect.stringMatching(/^plans: .*STOPPED: an unknown event$/));
  });

  it('says with every read of a tenant that something of it is parked, and of nobody else', async () => {
    const stale = async () => (await app.request.get('/api/plans/').expect(200)).headers['x-recount-stale'];
    expect(await stale()).toBeUndefined();
    await app.pool.query(
      `insert into projection_parked_streams (projection, version, stream, revision, reason)
       select projection, version, 'plan-' || $1 || '.1', 0, 'out of paint'
       from projection_checkpoints where projection = 'plans' and live`,
      [app.org],
    );
    while ((await stale()) !== 'true') await sleep(50);
    const { lines, isWell } = await run('projections', 'status');
    expect(isWell).toBe(false);
    expect(lines.at(-1)).toMatch(/^plans: PARKED plan-.* from revision 0 on, since .*Z: out of paint$/);
    expect((await run('projections', 'retry', 'plans')).lines).toEqual([
      'plans: 1 of its streams tried again by who runs it',
    ]);
    await app.pool.query('delete from projection_parked_streams');
    while ((await stale()) === 'true') await sleep(50);
    expect((await run('projections', 'retry', 'plans')).lines).toEqual(['plans: nothing is parked']);
  });

  it.each([
    [['rebuild']],
    [['rebuild', 'nothing']],
    [['status', 'plans']],
    [['rebuild', 'plans', '--all']],
    [[]],
  ])('refuses what it cannot read: %j', async (rest) => {
    await expect(readCommand(['projections', ...rest])).rejects.toThrow(CliError);
  });
});
