import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Uuid } from '../../src/kernel/ids.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { until } from '../support/until.js';

/** More rows than one read of them returns. */
const MANY = 2_500;

let app: TestApp;
const addEndpoint = async (name: string): Promise<Uuid> => {
  const triggers = ['billing.parked'];
  await app.request
    .post('/api/webhooks/')
    .send({ name, webhook_url: 'http://127.0.0.1:9/', triggers })
    .expect(201);
  const { rows } = await app.pool.query<{ id: Uuid }>('select id from webhook_endpoints where name = $1', [
    name,
  ]);
  return rows[0]!.id;
};
const park = (count: number) =>
  app.pool.query(
    `insert into parked_work (org, kind, subject_id, cause, detail, parked_at, tried_at, next_try_at)
      select $1, 'run', gen_random_uuid(), 'internal', '', now(), now(), now() from generate_series(1, $2)`,
    [app.org, count],
  );
const queued = async (endpoint: Uuid): Promise<Uuid[]> => {
  const { rows } = await app.pool.query<{ event_id: Uuid }>(
    'select event_id from webhook_deliveries where endpoint_id = $1 order by place',
    [endpoint],
  );
  return rows.map((row) => row.event_id);
};
const parked = async (): Promise<Uuid[]> => {
  const { rows } = await app.pool.query<{ park_id: Uuid }>(
    'select park_id from parked_work order by noted_at, park_id',
  );
  return rows.map((row) => row.park_id);
};

describe('webhooks of parked work', () => {
  beforeAll(async () => {
    app = await startTestApp({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  });
  afterAll(() => app.stop());
  beforeEach(() => app.pool.query('delete from webhook_endpoints; delete from parked_work'));

  it('tell of all work that was parked at one moment, in its order', async () => {
    const endpoint = await addEndpoint('many');
    await park(MANY);
    await until(async () => (await queued(endpoint)).length === MANY);
    expect(await queued(endpoint)).toEqual(await parked());
  });

  it('tell a new endpoint of nothing that was parked before it', async () => {
    const former = await addEndpoint('former');
    await park(1);
    await until(async () => (await queued(former)).length === 1);
    const added = await addEndpoint('added');
    await park(1);
    await until(async () => (await queued(former)).length === 2 && (await queued(added)).length > 0);
    expect(await queued(added)).toEqual((await parked()).slice(1));
  });
});
