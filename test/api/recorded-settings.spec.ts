import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AlertImport } from '../../src/alerts/alert-changes.js';
import { SettingsAudit } from '../../src/audit/doctor/settings-audit.js';
import { parseProof } from '../../src/transparency/domain/proof-text.js';
import { EndpointImport } from '../../src/webhooks/endpoint-records.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { shopOf } from '../support/shop.js';
import { until } from '../support/until.js';

interface Entry {
  readonly event_type: string;
  readonly subject: { readonly kind: string; readonly id: string };
  readonly actor_name: string | null;
  readonly request_id: string;
  readonly changes: Readonly<Record<string, unknown>>;
  readonly stream: string;
  readonly revision: number;
  readonly proof: string;
}

const [FIRST, SECOND] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64'));
const URL = 'https://hooks.example.com/services/a-token';

let database: TestDatabase;
let app: TestApp;

const start = (keys: string): Promise<TestApp> =>
  startTestApp({
    databaseUrl: database.url,
    clockStart: '2026-01-01T00:00:00Z',
    env: { AUDIT_KEYS: keys },
  });
const entriesOf = async (query: string): Promise<Entry[]> =>
  (await app.request.get(`/api/audit/log/?${query}`).expect(200)).body as Entry[];
const create = async (path: string, body: object, requestId: string) =>
  (await app.request.post(path).set('X-Request-Id', requestId).send(body).expect(201)).body as Readonly<
    Record<string, string>
  >;
const endpointBody = { name: 'books', webhook_url: URL, triggers: ['invoice.created'] };

beforeAll(async () => {
  database = await createTestDatabase('recount_with_read_models');
  app = await start(FIRST!);
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

it('a webhook endpoint is created and removed in the audit log, without its secret and its path', async () => {
  const made = await create('/api/webhooks/', endpointBody, 'makes-it');
  const id = made['webhook_endpoint_id']!;
  await app.request.delete(`/api/webhooks/${id}/`).set('X-Request-Id', 'removes-it').expect(200);
  await app.request.delete(`/api/webhooks/${id}/`).expect(404);
  const entries = await entriesOf(`subject_kind=webhook&subject_id=${id}`);
  expect(entries).toMatchObject([
    { event_type: 'WebhookEndpointRemoved', request_id: 'removes-it', subject: { kind: 'webhook', id } },
    {
      event_type: 'WebhookEndpointCreated',
      request_id: 'makes-it',
      actor_name: expect.any(String),
      changes: { name: 'books', triggers: ['invoice.created'], origin: 'https://hooks.example.com' },
    },
  ]);
  const { rows } = await app.pool.query(`select data from events where stream like '%.webhook.%'`);
  const stored = JSON.stringify(rows);
  expect(stored).toContain('hooks.example.com');
  for (const secret of ['a-token', made['webhook_secret']!]) expect(stored).not.toContain(secret);
});

it('a usage alert is created, changed and removed in the audit log, of the customer that it watches', async () => {
  const shop = shopOf(app);
  const { customer_key: customerKey } = (await shop.customer('acme')) as { customer_key: string };
  const metric = await shop.metric();
  const body = { name: 'many', metric_id: metric, customer_id: 'acme', threshold: '1000.50' };
  const made = await create('/api/usage-alerts/', body, 'makes-it');
  expect(made).toMatchObject({ threshold: 1000.5 });
  const id = made['usage_alert_id']!;
  const alert = `/api/usage-alerts/${id}/`;
  const change = (changes: object) => app.request.patch(alert).send(changes).expect(200);
  expect((await change({ name: 'few', threshold: 5 })).body).toMatchObject({ name: 'few', threshold: 5 });
  await change({ name: 'few', threshold: '5.0' });
  await app.request.delete(alert).expect(200);
  await app.request.delete(alert).expect(404);
  await app.request.patch(alert).send({ name: 'none' }).expect(404);
  expect(await entriesOf(`subject_kind=usage_alert&subject_id=${id}`)).toMatchObject([
    { event_type: 'UsageAlertRemoved' },
    { event_type: 'UsageAlertChanged', changes: { changes: { name: 'few', threshold: '5' } } },
    {
      event_type: 'UsageAlertCreated',
      request_id: 'makes-it',
      customer_key: customerKey,
      changes: { name: 'many', threshold: '1000.5' },
    },
  ]);
  expect(await entriesOf('customer_id=acme&event_type=UsageAlertChanged')).toHaveLength(0);
  expect(await entriesOf('customer_id=acme&event_type=UsageAlertCreated')).toHaveLength(1);
});

it('such changes are leaves of the tree', async () => {
  await app.request.post('/api/audit/checkpoints/').expect(201);
  for (const kind of ['webhook', 'usage_alert']) {
    const entries = await entriesOf(`subject_kind=${kind}`);
    expect(entries).not.toEqual([]);
    for (const { proof, stream, revision } of entries) {
      const { extra } = parseProof((await app.request.get(proof).expect(200)).text);
      const { leaf } = JSON.parse(Buffer.from(extra!).toString('utf8')) as { leaf: string };
      expect(JSON.parse(leaf)).toMatchObject({ stream, revision });
    }
  }
});

it('only another set of signing keys is in the log, before the first checkpoint that it signs', async () => {
  const keysOf = async () =>
    (await entriesOf('event_type=SigningKeysChanged')).map(({ changes }) => changes['publicKeys']);
  await app.request.post('/api/audit/checkpoints/').expect(201);
  expect(await keysOf()).toEqual([]);
  await app.stop();
  app = await start(`${SECOND},${FIRST}`);
  await app.request.post('/api/audit/checkpoints/').expect(201);
  await app.request.post('/api/audit/checkpoints/').expect(201);
  const changed = await until(async () => {
    const found = await keysOf();
    return found.length > 0 && found;
  });
  expect(changed).toEqual([[expect.any(String), expect.any(String)]]);
  const [{ proof }] = (await entriesOf('event_type=SigningKeysChanged')) as [Entry];
  await app.request.get(proof).expect(200);
});

describe('doctor compares endpoints and alerts with their events', () => {
  const differences = () => app.service.app.get(SettingsAudit, { strict: false }).differences(0);
  const made: string[] = [];
  let endpoint: string;
  let alert: string;
  beforeAll(async () => {
    const metric = await shopOf(app).metric({ metric_name: 'watched', event_name: 'watch' });
    const body = { name: 'much', metric_id: metric, customer_id: 'acme', threshold: '10.50' };
    made.push(`/api/usage-alerts/${(await create('/api/usage-alerts/', body, 'x'))['usage_alert_id']}/`);
    made.push(`/api/webhooks/${(await create('/api/webhooks/', endpointBody, 'x'))['webhook_endpoint_id']}/`);
    alert = (await app.pool.query('select alert_id as id from usage_alerts')).rows[0].id;
    endpoint = (await app.pool.query('select id from webhook_endpoints')).rows[0].id;
  });
  afterAll(async () => {
    for (const path of made) await app.request.delete(path).expect(200);
  });

  it('and finds nothing while nobody changed them', async () => {
    expect(await differences()).toEqual([]);
  });

  it.each([
    ['webhook_endpoints', `name = 'other'`, 'name'],
    ['webhook_endpoints', `triggers = '{}'`, 'triggers'],
    ['webhook_endpoints', `sealed = 'other'`, 'URL or secret'],
    ['usage_alerts', `name = 'other'`, 'name'],
    ['usage_alerts', 'threshold = 999', 'threshold'],
    ['usage_alerts', 'metric_id = gen_random_uuid()', 'metric'],
    ['usage_alerts', `created_at = '2020-01-01'`, 'time of creation'],
    ['usage_alerts', 'recorded = null', 'mark that an event created it'],
  ])('and finds a row of %s with another %s', async (table, change, field) => {
    const key = table === 'usage_alerts' ? 'alert_id' : 'id';
    const id = table === 'usage_alerts' ? alert : endpoint;
    const { rows } = await app.pool.query(`select to_jsonb(t) as row from ${table} t where ${key} = $1`, [
      id,
    ]);
    await app.pool.query(`update ${table} set ${change} where ${key} = $1`, [id]);
    const subject = table === 'usage_alerts' ? 'usage alert' : 'webhook endpoint';
    expect(await differences()).toContain(
      `${subject} ${id} of organization ${app.org} differs from its events: its ${field}`,
    );
    await app.pool.query(`delete from ${table} where ${key} = $1`, [id]);
    expect(await differences()).toEqual([
      `${subject} ${id} of organization ${app.org} is in the log and not in the table`,
    ]);
    await app.pool.query(`insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`, [
      rows[0].row,
    ]);
    expect(await differences()).toEqual([]);
  });

  it('and finds a row that SQL added, which no start takes in', async () => {
    const { rows: added } = await app.pool.query<{ id: string }>(
      `insert into usage_alerts (alert_id, org, name, metric_id, customer_key, measure, threshold, created_at)
         select gen_random_uuid(), org, 'added', metric_id, customer_key, measure, threshold, now()
         from usage_alerts where alert_id = $1 returning alert_id as id`,
      [alert],
    );
    const { rows: sent } = await app.pool.query<{ id: string }>(
      `insert into webhook_endpoints (id, org, name, triggers, sealed, commit, prepare)
         select gen_random_uuid(), org, 'added', triggers, sealed, 0, 0
         from webhook_endpoints where id = $1 returning id`,
      [endpoint],
    );
    for (const service of [AlertImport, EndpointImport]) await app.service.app.get(service).run();
    expect((await differences()).sort()).toEqual([
      `usage alert ${added[0]!.id} of organization ${app.org} is in the table, and its events do not say so`,
      `webhook endpoint ${sent[0]!.id} of organization ${app.org} is in the table, and its events do not say so`,
    ]);
    await app.pool.query(`delete from usage_alerts where name = 'added'`);
    await app.pool.query(`delete from webhook_endpoints where name = 'added'`);
  });
});

it('endpoints and alerts from before their events are taken in once, at a start, but one that does not open', async () => {
  const metric = await shopOf(app).metric({ metric_name: 'calls', event_name: 'call' });
  const alert = { name: 'old', metric_id: metric, customer_id: 'acme', threshold: 7 };
  const { usage_alert_id: alertId } = await create('/api/usage-alerts/', alert, 'x');
  const { webhook_endpoint_id: webhookId } = await create('/api/webhooks/', endpointBody, 'x');
  // Earlier releases stored endpoints and alerts in the tables only, without events.
  await app.pool.query(
    `update usage_alerts set recorded = null, alert_id = gen_random_uuid(), created_at = '2020-01-01'`,
  );
  await create('/api/webhooks/', { ...endpointBody, name: 'broken' }, 'x');
  await app.pool.query(`update webhook_endpoints set recorded = null, created_at = '2020-01-01'`);
  await app.pool.query(`update webhook_endpoints set sealed = 'exchanged' where name = 'broken'`);
  await app.pool.query(
    `update events set stream = stream || '-before' where stream similar to '%.(webhook|usage-alert).%'`,
  );
  const takenIn = async () =>
    (await entriesOf('limit=1000'))
      .filter(({ changes }) => changes['takenIn'] === true)
      .map(({ event_type: type, changes: { name } }) => `${type} ${String(name)}`);
  await app.stop();
  app = await start(SECOND!);
  await until(async () => (await takenIn()).length >= 2);
  expect(await takenIn()).toEqual(['WebhookEndpointCreated books', 'UsageAlertCreated old']);
  await app.request.get(`/api/webhooks/${webhookId}/`).expect(200);
  await app.request.get(`/api/usage-alerts/${alertId}/`).expect(404);
  const { body } = await app.request.get('/api/usage-alerts/').expect(200);
  await app.request.patch(`/api/usage-alerts/${body[0].usage_alert_id}/`).send({ threshold: 8 }).expect(200);
  for (const service of [AlertImport, EndpointImport]) await app.service.app.get(service).run();
  expect(await takenIn()).toHaveLength(2);
});
