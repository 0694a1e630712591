import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Uuid } from '../../src/kernel/ids.js';
import { Deliveries } from '../../src/webhooks/deliveries.js';
import { BOOTSTRAP_KEY, startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { stopSender } from '../support/recorded-answers.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { shopOf } from '../support/shop.js';

const AT = '2026-01-01T00:00:00Z';
const keyOf = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

let database: TestDatabase;
let app: TestApp;

const start = async (...keys: readonly string[]): Promise<void> => {
  app = await startTestApp({
    clockStart: AT,
    databaseUrl: database.url,
    env: { AUDIT_KEYS: keys.join('\n') },
  });
  await stopSender(app);
};
beforeAll(async () => {
  database = await createTestDatabase('recount_with_read_models');
  await start(keyOf(1));
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

const read = async (path: string, query = ''): Promise<Readonly<Record<string, unknown>>[]> =>
  (await app.request.get(`/api/${path}?${query}`).expect(200)).body;

describe('state of the service as of a moment', () => {
  it('has the parked work that was parked then, with its tries of then', async () => {
    const { rows } = await app.pool.query<{ park_id: string }>(
      `insert into parked_work (org, kind, subject_id, cause, detail, parked_at, tried_at, next_try_at)
       values ($1, 'past_due', gen_random_uuid(), 'invalid', 'no price', $2, $2, $2) returning park_id`,
      [app.org, AT],
    );
    const parked = await read('parked_work/');
    await app.advance('2026-01-02T00:00:00Z');
    await app.pool.query('update parked_work set tries = 2, next_try_at = $1', ['2026-01-09T00:00:00Z']);
    const tried = await read('parked_work/');
    await app.request.post(`/api/parked_work/${rows[0]!.park_id}/retry/`).expect(200);
    await app.advance('2026-01-03T00:00:00Z');
    await app.pool.query('update parked_work set resolved_at = $1', ['2026-01-03T00:00:00Z']);

    expect(await read('parked_work/')).toEqual([]);
    expect(await read('parked_work/', `as_of=${AT}`)).toEqual(parked);
    expect(await read('parked_work/', 'as_of=2026-01-02T12:00:00Z')).toEqual([
      { ...tried[0], next_try_at: AT },
    ]);
    expect(await read('parked_work/', 'as_of=2025-12-31T00:00:00Z')).toEqual([]);
  });

  it('has the deliveries of an endpoint with their outcome of then, also once it is removed', async () => {
    const triggers = ['customer.created'];
    const body = { name: 'books', webhook_url: 'https://hooks.example.com/books', triggers };
    const made = (await app.request.post('/api/webhooks/').send(body).expect(201)).body;
    const endpoint = `webhooks/${made.webhook_endpoint_id}`;
    await shopOf(app).customer('acme');
    await read('customers/');
    const deliveries = app.service.app.get(Deliveries, { strict: false });
    await deliveries.enqueue(1_000);
    const kept = [{ at: '2026-01-03T00:00:00Z', answer: await read(`${endpoint}/deliveries/`) }];
    const { rows } = await app.pool.query<{ id: Uuid; org: Uuid }>('select id, org from webhook_endpoints');
    const { id, org } = rows[0]!;
    const steps = [
      async () => {
        const failure = { nextTry: new Date(), status: 500, error: 'It answered 500.' };
        await deliveries.failed(id, (await deliveries.next(id, org))!, failure);
      },
      async () => deliveries.delivered(id, (await deliveries.next(id, org))!, 200),
      async () => deliveries.replayAfter(id, { commit: 0n, prepare: 0n }),
    ];
    for (const [day, step] of steps.entries()) {
      const at = `2026-01-0${day + 4}T00:00:00Z`;
      await app.advance(at);
      await step();
      kept.push({ at, answer: await read(`${endpoint}/deliveries/`) });
    }
    await app.advance('2026-01-07T00:00:00Z');
    await app.request.delete(`/api/${endpoint}/`).expect(200);
    expect(kept.map(({ answer }) => answer[0]!['status'])).toEqual([
      'pending',
      'pending',
      'delivered',
      'pending',
    ]);
    for (const { at, answer } of kept) {
      expect(await read(`${endpoint}/deliveries/`, `as_of=${at}`)).toEqual(answer);
    }
    await app.request.get(`/api/${endpoint}/deliveries/?as_of=2026-01-07T00:00:00Z`).expect(404);
  });

  it('has the organizations of then with their settings of then', async () => {
    const list = async (query = ''): Promise<{ organization_name: string }[]> =>
      (await app.request.get(`/api/organizations/?${query}`).set('X-API-KEY', BOOTSTRAP_KEY).expect(200))
        .body;
    const before = await list();
    await app.advance('2026-01-08T00:00:00Z');
    await app.request.patch('/api/organization/').send({ organization_name: 'Renamed' }).expect(200);
    expect((await list())[0]!.organization_name).toBe('Renamed');
    expect(await list('as_of=2026-01-07T00:00:00Z')).toEqual(before);
    expect(await list('as_of=2025-01-01T00:00:00Z')).toEqual([]);
    await app.request
      .get('/api/organizations/?as_of=2999-01-01T00:00:00Z')
      .set('X-API-KEY', BOOTSTRAP_KEY)
      .expect(400);
  });

  it('has the document of an invoice before it was voided, for an API key and not for a link', async () => {
    const shop = shopOf(app);
    const plan = await shop.plan('Fee', {
      recurring_charges: [aChargeBody({ amount: 5, charge_timing: 'in_advance' })],
    });
    await shop.subscribe('acme', plan, '2026-01-08');
    const [invoice] = await shop.invoices();
    const pdf = `/api/invoices/${invoice!.invoice_id}/pdf/`;
    const issued = (await app.request.get(pdf).expect(200)).body as Buffer;
    await app.advance('2026-01-09T00:00:00Z');
    await app.request.post(`/api/invoices/${invoice!.invoice_id}/void/`).expect(200);
    const voided = (await app.request.get(pdf).expect(200)).body as Buffer;
    const then = (await app.request.get(`${pdf}?as_of=2026-01-08T12:00:00Z`).expect(200)).body as Buffer;
    expect(then.equals(issued)).toBe(true);
    expect(then.equals(voided)).toBe(false);

    const link = invoice!['invoice_pdf'] as string;
    const { body } = await app.request.get(`${link.replace(app.url, '')}&as_of=${AT}`).expect(400);
    expect(body.validation_errors[0].attr).toBe('as_of');
    const { status } = await fetch(`${link}&as_of=${AT}`);
    expect(status).toBe(401);
  });

  it('has the signing keys that had signed until then, with their status of then', async () => {
    await app.request.post('/api/audit/checkpoints/').send({}).expect(201);
    const first = await read('audit/keys/');
    await app.stop();
    await start(keyOf(2), keyOf(1));
    await app.advance('2026-01-10T00:00:00Z');
    await shopOf(app).customer('globex');
    await app.request.post('/api/audit/checkpoints/').send({}).expect(201);
    expect((await read('audit/keys/')).map(({ status }) => status)).toEqual(['overlapping', 'current']);
    expect(await read('audit/keys/', 'as_of=2026-01-09T00:00:00Z')).toEqual(first);
    expect(await read('audit/keys/', 'as_of=2026-01-10T00:00:00Z')).toHaveLength(2);
  });
});
