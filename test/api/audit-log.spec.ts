import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type RecordedEvent, orgOfStream } from '../../src/kernel/event.js';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { STORED_EVENTS, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { parseProof } from '../../src/transparency/domain/proof-text.js';
import { anotherTenant } from '../support/another-tenant.js';
import { fieldErrorsOf, pagesOf } from '../support/answers.js';
import { until } from '../support/until.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody, anAddonBody } from '../support/builders/catalog-bodies.js';
import { billedUntilMarch, shopOf, times, type Shop } from '../support/shop.js';

interface Entry {
  readonly position: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly summary: string;
  readonly recorded_at: string;
  readonly subject: { readonly kind: string; readonly id: string };
  readonly customer_key: string | null;
  readonly stream: string;
  readonly revision: number;
  readonly actor: string;
  readonly actor_name: string | null;
  readonly names: Readonly<Record<string, unknown>>;
  readonly request_id: string;
  readonly command_id: string;
  readonly changes: Readonly<Record<string, unknown>>;
  readonly left_out: readonly string[];
  readonly proof: string;
}

const LOG = '/api/audit/log/';
let app: TestApp;
let shop: Shop;
let log: readonly RecordedEvent[];
let positionOfChange: string | undefined;

const list = async (query = ''): Promise<Entry[]> =>
  (await pagesOf<Entry>(app.request, `${LOG}?limit=7${query && `&${query}`}`)).flat();
const idsOf = (entries: readonly Entry[]) => entries.map(({ event_id }) => event_id);
const stored = (keep: (event: RecordedEvent) => boolean) => log.filter(keep).map(({ id }) => id);

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  await billedUntilMarch(app);
  const metered = await shop.plan('Metered', { components: [aComponentBody(await shop.metric())] });
  await shop.customer('globex', { customer_name: 'Globex of Ms Doe', email: 'doe@globex.example' });
  const { subscription_id: id } = await shop.subscribe('globex', metered, '2026-03-02');
  await app.request
    .post(`/api/subscriptions/${id}/update/`)
    .send({ metadata: { note: 'x' } })
    .expect(200);
  await shop.use(...times(3, '2026-03-02T00:00:00Z').map((one) => ({ ...one, customer: 'globex' })));
  await app.request.post('/api/addons/').send(anAddonBody('Extra')).expect(201);
  const credit = { customer_id: 'globex', amount: 5, currency_code: 'USD', description: 'For Ms Doe' };
  await app.request.post('/api/credits/').send(credit).expect(201);
  await app.advance('2026-04-03T00:00:00Z');
  const changed = await app.request
    .patch('/api/organization/')
    .set('X-Request-Id', 'a-request')
    .send({ tax_rate: 19 })
    .expect(200);
  positionOfChange = changed.headers['x-recount-position'];
  const found: RecordedEvent[] = [];
  for await (const event of app.service.app.get<EventStore>(STORED_EVENTS).readAll()) {
    if (orgOfStream(event.stream) === app.org) found.unshift(event);
  }
  log = found;
});
afterAll(() => app.stop());

describe('GET /api/audit/log/', () => {
  it('names the customer, plan, filters, add-on and metric that an event is about', async () => {
    const nobody = { customer_id: null };
    const nothing = { plan_name: null, subscription_filters: [], addon_name: null, metric_name: null };
    const globex = { customer_id: 'globex' };
    const newest = async (type: string, customer = '') => {
      const [entry] = await list(`event_type=${type}${customer && `&customer_id=${customer}`}`);
      return entry!.names;
    };
    expect(await newest('CustomerRegistered', 'globex')).toEqual({ ...nothing, ...globex });
    const metered = { ...nothing, ...globex, plan_name: 'Metered' };
    expect(await newest('SubscriptionStarted', 'globex')).toEqual(metered);
    // The event itself names no customer.
    expect(await newest('MetadataChanged')).toEqual(metered);
    expect(await newest('UsagePeriodClosed', 'globex')).toEqual({ ...metered, metric_name: 'requests' });
    expect(await newest('PlanVersionPublished')).toEqual({ ...nobody, ...nothing, plan_name: 'Metered' });
    expect(await newest('AddonDefined')).toEqual({ ...nobody, ...nothing, addon_name: 'Extra' });
    expect(await newest('SettingsChanged')).toEqual({ ...nobody, ...nothing });
  });

  it('has every event of the organization, the newest first, over any pages', async () => {
    const entries = await list();
    expect(idsOf(entries)).toEqual(stored(() => true));
    expect(new Set(entries.map(({ position }) => position)).size).toBe(log.length);
    for (const [index, { stream, revision, event_type }] of entries.entries()) {
      const event = log[index]!;
      expect({ stream, revision, event_type }).toEqual({
        stream: event.stream,
        revision: Number(event.revision),
        event_type: event.type,
      });
    }
  });

  it('says who did what by which key and request', async () => {
    const [entry] = await list('event_type=SettingsChanged');
    expect(entry).toMatchObject({
      position: positionOfChange,
      summary: 'Settings of the organization were changed.',
      subject: { kind: 'organization', id: `org_${app.org.replaceAll('-', '')}` },
      actor_name: app.keyName,
      request_id: 'a-request',
      changes: { changes: { taxRate: '19' } },
      left_out: [],
      recorded_at: '2026-04-03T00:00:00Z',
    });
    const run = (await list('event_type=InvoiceComputed&actor=system'))[0]!;
    expect(run).toMatchObject({ actor: 'system', actor_name: 'the scheduler', left_out: ['lines'] });
  });

  it('leaves personal data out, sealed or not', async () => {
    const text = JSON.stringify(await list());
    for (const personal of ['Doe', 'doe@', '"sealed"', '"sealedDescription"']) {
      expect(text.replaceAll(/"left_out":\[[^\]]*\]/g, '')).not.toContain(personal);
    }
    const [registered] = await list('event_type=CustomerRegistered');
    expect(registered).toMatchObject({ left_out: ['sealed'], changes: { paymentProvider: null } });
  });

  it('restricts the log to a customer, with the subscriptions that it has', async () => {
    const key = customerKeyOf(app.org, 'globex');
    const subscriptions = new Set(
      log.flatMap(({ type, data, stream }) =>
        type === 'SubscriptionStarted' && JSON.stringify(data).includes(key) ? [stream] : [],
      ),
    );
    const renewed = log.flatMap(({ type, stream, data }) =>
      type === 'SubscriptionRenewed' && subscriptions.has(stream)
        ? [(data as { successor: { subscriptionId: string } }).successor.subscriptionId]
        : [],
    );
    expect(renewed).not.toEqual([]);
    const entries = await list('customer_id=globex');
    expect(idsOf(entries)).toEqual(
      stored(({ stream }) => stream.includes(`.${key}`) || subscriptions.has(stream)),
    );
    expect(entries.map(({ event_type }) => event_type)).toContain('MetadataChanged');
    expect(new Set(entries.map(({ customer_key }) => customer_key))).toEqual(new Set([key]));
  });

  it('restricts the log by subject, key, type and time, and by several of them', async () => {
    const [computed] = await list('event_type=InvoiceComputed');
    const { kind, id } = computed!.subject;
    expect(kind).toBe('invoice');
    const bare = id.replace('invoice_', '');
    expect(idsOf(await list(`subject_kind=invoice&subject_id=${id}`))).toEqual(
      stored(
        ({ data, stream }) =>
          stream.startsWith('account-') && (data as { invoiceId?: string }).invoiceId === bare,
      ),
    );
    expect(idsOf(await list('subject_kind=addon'))).toEqual(stored(({ type }) => type === 'AddonDefined'));

    const [{ prefix }] = (await app.request.get('/api/api_keys/').expect(200)).body;
    const [created] = await list('event_type=PlanCreated');
    const byKey = stored(({ metadata }) => metadata.actor === created!.actor);
    expect(byKey.length).toBeGreaterThan(5);
    expect(idsOf(await list(`actor=${created!.actor}`))).toEqual(byKey);
    expect(idsOf(await list(`actor=${prefix}`))).toEqual(byKey);

    const past = 'as_of=2026-02-15T00:00:00Z';
    const [then] = await list(`customer_id=acme&actor=${prefix}&subject_kind=customer&${past}`);
    expect(then!.names.customer_id).toBe('acme');
    await app.request.get(`${LOG}?subject_kind=customer&subject_id=nobody&${past}`).expect(400);

    const [from, to] = ['2026-02-01T00:00:00Z', '2026-03-02T00:00:00Z'];
    const inTime = ({ metadata: { recordedAt } }: RecordedEvent) =>
      recordedAt >= '2026-02-01T00:00:00.000000Z' && recordedAt < '2026-03-02T00:00:00.000000Z';
    expect(stored(inTime)).not.toEqual([]);
    expect(idsOf(await list(`from=${from}&to=${to}`))).toEqual(stored(inTime));
    expect(idsOf(await list(`from=${from}&to=${to}&event_type=InvoiceIssued&customer_id=acme`))).toEqual(
      stored((event) => inTime(event) && event.type === 'InvoiceIssued'),
    );
  });

  it('leads from each entry to the proof that the checkpoint covers it', async () => {
    await app.request.post('/api/audit/checkpoints/').expect(201);
    for (const { proof, stream, revision } of (await list()).slice(0, 5)) {
      const { extra } = parseProof((await app.request.get(proof).expect(200)).text);
      const { leaf } = JSON.parse(Buffer.from(extra!).toString('utf8')) as { leaf: string };
      expect(JSON.parse(leaf)).toMatchObject({ stream, revision });
    }
    const { body } = await app.request.get(`/api/audit/proofs/?stream=plan-${app.org}.x`).expect(400);
    expect(fieldErrorsOf(body)).toEqual({ revision: 'required' });
  });

  it.each([
    ['stream=nothing&revision=0', { stream: 'does_not_exist' }],
    ['usage_event_id=nope', { usage_event_id: 'does_not_exist' }],
    ['invoice_id=nope', { invoice_id: 'does_not_exist' }],
    [`invoice_id=invoice_${randomUUID()}`, { invoice_id: 'does_not_exist' }],
    ['position=1000000', { position: 'max_value' }],
  ])('leads to no proof of %s', async (query, errors) => {
    const { body } = await app.request.get(`/api/audit/proofs/?${query}`).expect(400);
    expect(fieldErrorsOf(body)).toEqual(errors);
  });

  it('is a view that analysts export, in the order of the log', async () => {
    const { rows } = await app.pool.query<{ event_id: string }>(
      'select * from analytics.audit_log where org = $1',
      [app.org],
    );
    expect(rows.map(({ event_id }) => event_id).reverse()).toEqual(stored(() => true));
  });

  it('shows an organization nothing of another one', async () => {
    const other = await anotherTenant(app);
    // No request made the organization, so no answer waits until the audit log contains it.
    const types = await until(async () => {
      const entries = (await other.request.get(LOG).expect(200)).body as Entry[];
      return entries.length > 1 && entries.map(({ event_type }) => event_type);
    });
    expect(types).toEqual(['ApiKeyCreated', 'OrganizationCreated']);
    const [newest] = await list();
    await other.request.get(newest!.proof).expect(400);
    await other.request.get(`${LOG}?customer_id=acme`).expect(400);
    const { headers } = await app.request.get(`${LOG}?limit=1`).expect(200);
    const cursor = /cursor=([^>]+)/.exec(headers['link']!)![1];
    await other.request.get(`${LOG}?cursor=${cursor}`).expect(400);
  });

  it.each([
    ['event_type=Nothing', { event_type: 'invalid' }],
    ['subject_id=plan_1', { subject_kind: 'required' }],
    ['subject_kind=everything', { subject_kind: 'invalid_choice' }],
    ['cursor=x', { cursor: 'invalid' }],
    ['limit=1001', { limit: 'max_value' }],
    ['from=yesterday', { from: 'invalid' }],
    ['customer_id=nobody', { customer_id: 'does_not_exist' }],
    ['subject_kind=plan&subject_id=xyz', { subject_id: 'does_not_exist' }],
    [
      'customer_id=nobody&subject_kind=plan&subject_id=xyz&actor=nope',
      { customer_id: 'does_not_exist', subject_id: 'does_not_exist', actor: 'does_not_exist' },
    ],
  ])('refuses %s', async (query, errors) => {
    const { body } = await app.request.get(`${LOG}?${query}`).expect(400);
    expect(fieldErrorsOf(body)).toEqual(errors);
  });

  it('leads to a proof once a checkpoint covers the event', async () => {
    await app.request.post('/api/features/').send({ feature_name: 'uncovered' }).expect(201);
    const [{ proof }] = (await list('event_type=FeatureDefined')) as [Entry];
    expect((await app.request.get(proof).expect(400)).body.title).toBe('invalid_state');
    await app.request.post('/api/audit/checkpoints/').expect(201);
    await app.request.get(proof).expect(200);
  });

  it('knows actors that did nothing, and what is gone', async () => {
    const { body: idle } = await app.request.post('/api/api_keys/').send({ name: 'idle', scope: 'read' });
    await app.request.post('/api/customers/').send({ customer_id: 'gone' }).expect(201);
    await app.request.post('/api/customers/gone/erase/').send({}).expect(200);
    await app.request.post(`/api/api_keys/${idle.prefix}/revoke/`).send({}).expect(200);
    for (const actor of [idle.prefix, 'cli']) expect(await list(`actor=${actor}`)).toEqual([]);
    const [newest] = await list('customer_id=gone');
    expect(newest!.event_type).toBe('CustomerErased');
    const { kind, id } = newest!.subject;
    expect(await list(`subject_kind=${kind}&subject_id=${id}&event_type=PlanCreated`)).toEqual([]);
  });
});
