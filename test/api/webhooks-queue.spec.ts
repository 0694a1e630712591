import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Deliveries } from '../../src/webhooks/deliveries.js';
import { Database } from '../../src/platform/database/open-database.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { startTestApp, type TestApp } from '../support/app.js';

/** The service has the role `api` only, so it sends nothing. */
describe('deliveries without an event in the log', () => {
  let app: TestApp;
  let endpoint: Uuid;

  beforeAll(async () => {
    app = await startTestApp({ env: { ROLES: 'api', ALLOW_PRIVATE_WEBHOOKS: 'true' } });
    await app.request
      .post('/api/webhooks/')
      .send({ name: 'all', webhook_url: 'http://127.0.0.1:9/', triggers: ['audit.checkpoint'] })
      .expect(201);
    const { rows } = await app.pool.query<{ id: Uuid }>('select id from webhook_endpoints');
    endpoint = rows[0]!.id;
  });
  afterAll(() => app.stop());

  it('are queued in their order behind those that are queued already', async () => {
    const deliveries = new Deliveries(app.service.app.get(Database, { strict: false }));
    const ids = Array.from({ length: 300 }, () => randomUUID() as Uuid);
    const noted = ids.map((id) => ({ id, notedAt: instant('9000-01-01') }));
    // The database plans the statement by what the table holds.
    for (const known of [1, 100, 102, 300]) {
      await deliveries.enqueueOthers(app.org, 'audit.checkpoint', noted.slice(0, known));
      await app.pool.query('analyze webhook_deliveries');
    }
    const { rows } = await app.pool.query<{ event_id: Uuid }>(
      'select event_id from webhook_deliveries where endpoint_id = $1 order by place',
      [endpoint],
    );
    expect(rows.map((row) => row.event_id)).toEqual(ids);
  });
});
