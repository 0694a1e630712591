import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import { ReadModelDistances } from '../../src/audit/queries/read-model-distances.js';
import { customerKeyOf, type Uuid } from '../../src/kernel/ids.js';
import { comparePositions, streamName, type RecordedEvent } from '../../src/kernel/event.js';
import { READ_MODELS, type ReadModels } from '../../src/platform/eventsourcing/read-models.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { anotherTenant } from '../support/another-tenant.js';
import { pagesOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { readModelsAtHead } from '../support/stored.js';
import { until } from '../support/until.js';

interface ReadModel {
  readonly name: string;
  readonly state: string;
  readonly events_behind: number;
  readonly behind_since: string | null;
  readonly left_out: readonly { readonly stream: string; readonly revision: number }[];
}

let app: TestApp;
let shop: Shop;
let other: TestAgent;
let otherOrg: Uuid;
let reader: TestAgent;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  ({ request: other, org: otherOrg } = await anotherTenant(app));
  const key = await app.request.post('/api/api_keys/').send({ name: 'reader', scope: 'read' }).expect(201);
  reader = request.agent(app.url).set('X-API-KEY', key.body.key as string);
  await app.request.patch('/api/organization/').send({ payment_grace_period: 3 }).expect(200);
  const metric = await shop.metric({ aggregation_type: 'sum', property_name: 'tons' });
  const tiers = perUnitTiers(5_000_000_000);
  const plan = await shop.plan('Freight', {
    recurring_charges: [aChargeBody({ amount: 31 })],
    components: [aComponentBody(metric, { tiers })],
  });
  for (const customer of ['giant', 'usual']) {
    await shop.customer(customer);
    await shop.subscribe(customer, plan, '2026-01-01');
  }
});
afterAll(() => app.stop());

const get = async (path: string, agent: TestAgent = app.request) => (await agent.get(path).expect(200)).body;
const parked = (agent?: TestAgent) => get('/api/parked_work/', agent);
const retry = (id: string, agent: TestAgent = app.request) => agent.post(`/api/parked_work/${id}/retry/`);

describe('due work', () => {
  it('is counted by the day on which it can be done', async () => {
    const due = await get('/api/upcoming_work/?days=40');
    expect(due).toMatchObject({
      as_of: '2026-01-01T00:00:00Z',
      until: '2026-02-10T00:00:00Z',
      payments: [{ currency_code: 'USD', invoices: 2, cost_due: 62 }],
      waiting: 0,
      parked: 0,
      late_usage: { windows: 0, examined: 0 },
    });
    const busy = due.days.filter(
      (one: Record<string, number>) => one['boundaries']! + one['accounts']! + one['payments']!,
    );
    expect(due.days).toHaveLength(40);
    expect(busy).toEqual([
      { day: '2026-01-04', boundaries: 0, accounts: 0, payments: 2 },
      { day: '2026-02-01', boundaries: 2, accounts: 2, payments: 0 },
    ]);
    const elsewhere = await get('/api/upcoming_work/?days=40', other);
    expect(elsewhere.payments).toEqual([]);
    expect(new Set(elsewhere.days.map((one: { accounts: number }) => one.accounts))).toEqual(new Set([0]));
  });

  it('are asked for 1 to 90 days', async () => {
    for (const [days, code] of Object.entries({
      '-1': 'min_value',
      '0': 'min_value',
      '91': 'max_value',
      x: 'invalid',
      '1.5': 'invalid',
    })) {
      const { body } = await app.request.get(`/api/upcoming_work/?days=${days}`).expect(400);
      const detail = 'Give a whole number from 1 to 90.';
      expect(body.validation_errors).toEqual([{ attr: 'days', code, detail }]);
    }
  });
});

describe('parked work', () => {
  it('is listed with its cause and next try, to its organization alone', async () => {
    await shop.use({ customer: 'giant', at: '2026-01-01T00:00:00Z', properties: { tons: 20 } });
    await app.advance('2026-02-01T00:30:00Z');
    expect(await parked()).toEqual([
      expect.objectContaining({
        kind: 'run',
        customer_id: 'giant',
        currency_code: 'USD',
        subscription_id: null,
        invoice_id: null,
        cause: 'amount_out_of_range',
        tries: 1,
        detail: expect.stringMatching(/cannot be invoiced/),
        parked_at: '2026-02-01T00:30:00Z',
        next_try_at: '2026-02-01T00:31:00Z',
      }),
    ]);
    expect(await parked(other)).toEqual([]);
    expect(await get('/api/upcoming_work/')).toMatchObject({ parked: 1, waiting: 1 });
    expect(await get('/api/upcoming_work/', other)).toMatchObject({ parked: 0, waiting: 0 });
  });

  it('is tried again when an admin key asks, and leaves the list when it is done', async () => {
    const [{ parked_id: id }] = await parked();
    await shop.use({ customer: 'giant', at: '2026-01-31T00:00:00Z', properties: { tons: -19 } });
    await retry(id, reader).expect(403);
    await retry(id, other).expect(404);
    await retry('no-such-id').expect(404);
    const { body } = await retry(id).expect(200);
    expect(body).toMatchObject({ parked_id: id, next_try_at: '2026-02-01T00:30:00Z' });
    await app.advance('2026-02-01T00:30:01Z');
    expect(await parked()).toEqual([]);
    await retry(id).expect(404);
    expect((await shop.invoices('?customer_id=giant'))[0]).toMatchObject({ amount: 5_000_000_031 });
  });

  it('is listed page by page', async () => {
    await app.pool.query(
      `insert into parked_work (org, kind, subject_id, cause, detail, parked_at, tried_at, next_try_at)
       select $1, 'past_due', gen_random_uuid(), 'internal', 'secret', now(), now(), now() from generate_series(1, 5)`,
      [app.org],
    );
    const pages = await pagesOf<{ parked_id: string; detail: string }>(
      app.request,
      '/api/parked_work/?limit=2',
    );
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(new Set(pages.flat().map(({ parked_id: id }) => id)).size).toBe(5);
    expect(new Set(pages.flat().map(({ detail }) => detail))).toEqual(
      new Set(['It failed inside the service. Its operator sees why.']),
    );
  });

  it('counts windows with usage that came after their count', async () => {
    await shop.use({ customer: 'usual', at: '2026-01-31T12:00:00Z', properties: { tons: 0 } });
    expect((await get('/api/upcoming_work/')).late_usage).toEqual({ windows: 1, examined: 2 });
    expect((await get('/api/upcoming_work/', other)).late_usage).toEqual({ windows: 0, examined: 0 });
  });
});

describe('read models', () => {
  const all = async (agent: TestAgent): Promise<ReadModel[]> =>
    (await get('/api/read_models/', agent)).read_models;
  const find = async (name: string, agent: TestAgent) => (await all(agent)).find((one) => one.name === name)!;

  it('are level, behind by events of the organization alone, or stopped', async () => {
    await readModelsAtHead(app);
    const level = { state: 'level', events_behind: 0, behind_since: null, left_out: [] };
    for (const one of await all(reader)) expect(one).toEqual({ name: one.name, ...level });

    const holder = await app.pool.connect();
    try {
      await holder.query('set idle_in_transaction_session_timeout = 0');
      await holder.query('begin');
      await holder.query(`select from projection_checkpoints where projection = 'customers' for update`);
      await shop.customer('late');
      // Reads the distances directly: a read over HTTP would wait for the read model.
      const distances = app.service.app.get(ReadModelDistances, { strict: false });
      const customersOf = async (org: Uuid) =>
        (await distances.read(org)).find(({ name }) => name === 'customers');
      expect(await customersOf(app.org)).toMatchObject({
        eventsBehind: 1,
        behindSince: '2026-02-01T00:30:01.000000Z',
      });
      expect(await customersOf(otherOrg)).toMatchObject({ eventsBehind: 0, behindSince: undefined });
    } finally {
      await holder.query('rollback');
      holder.release(true);
    }
    await until(async () => (await find('customers', reader)).state === 'level');

    await app.pool.query(`update projection_checkpoints set stopped = 'secret' where projection = 'plans'`);
    expect(await find('plans', reader)).toEqual({ name: 'plans', ...level, state: 'stopped' });
    await app.pool.query(`update projection_checkpoints set stopped = null where projection = 'plans'`);
  });

  it('are behind by what the organization wrote after much that others did', async () => {
    await other.post('/api/customers/').send({ customer_id: 'busy' }).expect(201);
    await readModelsAtHead(app);
    const store = app.service.app.get<EventStore>(EVENT_STORE);
    const stream = streamName('customer', otherOrg, customerKeyOf(otherOrg, 'busy'));
    let newest: RecordedEvent | undefined;
    for await (const event of store.readStream(stream)) newest = event;
    const { revision, data, metadata } = newest!;
    const changes = Array.from({ length: 1_100 }, () => {
      return { id: randomUUID() as Uuid, type: 'CustomerDetailsChanged', metadata, data };
    });
    const holder = await app.pool.connect();
    try {
      await holder.query('set idle_in_transaction_session_timeout = 0');
      await holder.query('begin');
      await holder.query(
        `select from projection_checkpoints where projection in ('audit', 'customers') for update`,
      );
      for (let done = 0; done < changes.length; done += 100)
        await store.append(stream, revision + BigInt(done), changes.slice(done, done + 100));
      await shop.customer('later');
      const found = await app.service.app.get(ReadModelDistances, { strict: false }).read(app.org);
      expect(found.filter(({ eventsBehind: count }) => count > 0).map(({ name }) => name)).toEqual(
        expect.arrayContaining(['audit', 'customers']),
      );
    } finally {
      await holder.query('rollback');
      holder.release(true);
    }
    await readModelsAtHead(app);
  });

  it('are behind by what the organization wrote after more than a request reads of others', async () => {
    await readModelsAtHead(app);
    const store = app.service.app.get<EventStore>(EVENT_STORE);
    const models = app.service.app.get<ReadModels>(READ_MODELS, { strict: false });
    const holder = await app.pool.connect();
    const hold = (name: string) =>
      holder.query('select from projection_checkpoints where projection = $1 for update', [name]);
    try {
      await holder.query('begin');
      await hold('audit');
      for (let n = 0; n < 12; n += 1)
        await other
          .post('/api/features/')
          .send({ feature_name: `of another ${n}` })
          .expect(201);
      await until(async () => {
        const [head, statuses] = [(await store.head())!, await models.status()];
        const { position } = statuses.find(({ projection }) => projection === 'customers')!;
        return position && comparePositions(position, head) >= 0;
      });
      await hold('customers');
      await shop.customer('latest');
      const found = await app.service.app.get(ReadModelDistances, { strict: false }).read(app.org, 10);
      expect(found.find(({ name }) => name === 'customers')).toMatchObject({ eventsBehind: 1 });
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    await readModelsAtHead(app);
  });

  it('name the streams of the organization that they leave out', async () => {
    const stream = `customer-${app.org}.x`;
    await app.pool.query(
      `insert into projection_parked_streams (projection, version, stream, revision, reason)
       select projection, version, $1, 3, 'secret' from projection_checkpoints where projection = 'customers' and live`,
      [stream],
    );
    const { left_out: leftOut } = await find('customers', reader);
    expect(leftOut).toEqual([{ stream, revision: 3, since: expect.any(String) }]);
    expect((await find('customers', other)).left_out).toEqual([]);
  });
});
