import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { FIRST_ORGANIZATION } from '../../src/organization/first-organization.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aPng } from '../support/builders/png.js';
import { dropEventLog } from '../support/event-log.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('the organization', () => {
  let app: TestApp;
  const settings = async () => (await app.request.get('/api/organization/').expect(200)).body;
  const change = (body: object) => app.request.patch('/api/organization/').send(body);

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  it('begins with the settings of the contract', async () => {
    expect(await settings()).toEqual({
      organization_id: `org_${app.org.replaceAll('-', '')}`,
      organization_name: 'My organization',
      default_currency_code: 'USD',
      timezone: 'UTC',
      tax_rate: null,
      address: null,
      email: null,
      phone: null,
      payment_grace_period: null,
      late_event_grace_minutes: 30,
      subscription_filter_keys: [],
      feature_access_policy: 'any',
      proration_basis: 'second',
      legal_name: null,
      tax_ids: [],
      payment_terms: null,
      payment_details: null,
      invoice_footer: null,
      invoice_locale: null,
      logo: null,
    });
  });

  it('has what its invoices show: names, numbers, terms, an account and a picture', async () => {
    const png = aPng(40, 20);
    const shown = {
      legal_name: 'Muster GmbH',
      tax_ids: [{ type: 'vat', value: 'DE123456789' }],
      payment_terms: 'Zahlbar ohne Abzug',
      invoice_footer: 'Amtsgericht Köln HRB 1',
    };
    const { body } = await change({
      ...shown,
      payment_details: { iban: 'de89 3704 0044 0532 0130 00', bic: 'cobadeffxxx' },
      invoice_locale: 'de-at',
      logo: { data: `data:image/png;base64,${png.toString('base64')}` },
    }).expect(200);
    expect(body).toMatchObject({
      ...shown,
      payment_details: { account_holder: null, iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
      invoice_locale: 'de-AT',
      logo: {
        media_type: 'image/png',
        width: 40,
        height: 20,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect(await settings()).toEqual(body);
    const cleared = {
      payment_details: null,
      invoice_locale: null,
      logo: null,
      tax_ids: [],
      legal_name: null,
    };
    expect((await change(cleared).expect(200)).body).toMatchObject(cleared);
  });

  it('takes only pictures that are whole, small enough and of a kind that documents can show', async () => {
    const png = aPng(40, 20);
    const damaged = Buffer.from(png);
    damaged[png.length - 20]! ^= 1;
    const wrong = {
      'The picture is damaged or incomplete. Send another one.': [
        damaged,
        png.subarray(0, 60),
        Buffer.from([0xff, 0xd8]),
      ],
      'The picture has a wrong size. Send one with sides of 1 to 2000 pixels.': [aPng(2_001, 1)],
      'Send a PNG or a JPEG.': [Buffer.from('<svg/>'), Buffer.alloc(0)],
      'The picture is too large. Send at most 131072 bytes.': [Buffer.alloc(131_073)],
    };
    for (const [detail, pictures] of Object.entries(wrong)) {
      for (const picture of pictures) {
        const { body } = await change({ logo: { data: picture.toString('base64') } }).expect(400);
        expect(body.validation_errors).toEqual([{ attr: 'logo.data', code: 'invalid', detail }]);
      }
    }
  });

  it('refuses numbers of accounts and languages that cannot be, each with its field', async () => {
    const { body } = await change({
      payment_details: { iban: 'DE00370400440532013000', bic: 'X' },
      tax_ids: [{ type: 'vat' }, { type: 'passport', value: 'x' }],
      invoice_locale: 'not a language',
    }).expect(400);
    const attrs = body.validation_errors.map(({ attr }: { attr: string }) => attr).sort();
    expect(attrs).toEqual([
      'invoice_locale',
      'payment_details.bic',
      'payment_details.iban',
      'tax_ids.0.value',
      'tax_ids.1.type',
    ]);
  });

  it('changes what is sent, keeps the rest, and null clears', async () => {
    const address = { city: 'Gdynia', country: 'pl', line1: 'Świętojańska 1' };
    const { body } = await change({ address, tax_rate: 23, email: 'books@example.com', phone: '1' }).expect(
      200,
    );
    expect(body).toMatchObject({
      address: { city: 'Gdynia', country: 'PL', line1: 'Świętojańska 1', line2: null },
      tax_rate: 23,
      email: 'books@example.com',
      organization_name: 'My organization',
    });
    await change({ email: null, tax_rate: 7.25, subscription_filter_keys: ['region'] }).expect(200);
    expect(await settings()).toMatchObject({
      email: null,
      tax_rate: 7.25,
      phone: '1',
      subscription_filter_keys: ['region'],
    });
  });

  it('a change that says what is so already writes nothing', async () => {
    const first = await change({ payment_grace_period: 14 }).expect(200);
    const second = await change({ payment_grace_period: 14 }).expect(200);
    expect(second.headers['x-recount-position']).toBe(first.headers['x-recount-position']);
  });

  it('refuses every wrong setting, and changes none', async () => {
    const before = await settings();
    const { body } = await change({
      organization_name: ' ',
      default_currency_code: 'XXXX',
      timezone: 'Mars/Phobos',
      tax_rate: 1000,
      email: 'nobody',
      payment_grace_period: -1,
      late_event_grace_minutes: 1.5,
      subscription_filter_keys: ['a', 'a'],
      proration_basis: 'week',
      phone: '112',
    }).expect(400);
    const wrong = body.validation_errors.map((e: { attr: string; code: string }) => `${e.attr} ${e.code}`);
    expect(wrong.sort()).toEqual([
      'default_currency_code invalid_choice',
      'email invalid',
      'late_event_grace_minutes invalid',
      'organization_name blank',
      'payment_grace_period min_value',
      'proration_basis invalid_choice',
      'subscription_filter_keys invalid',
      'tax_rate max_value',
      'timezone invalid_choice',
    ]);
    expect(await settings()).toEqual(before);
  });
});

describe('API keys of an organization', () => {
  let app: TestApp;
  const create = (body: object) => app.request.post('/api/api_keys/').send(body);
  const withKey = (key: string) => request.agent(app.url).set('X-API-KEY', key);

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  it('are shown once, and listed without the key', async () => {
    const { body } = await create({ name: 'Reports', scope: 'read' }).expect(201);
    await withKey(body.key).get('/api/ping/').expect(200);
    const { key, ...rest } = body;
    const list = (await app.request.get('/api/api_keys/').expect(200)).body;
    expect(list).toContainEqual(rest);
    expect(JSON.stringify(list)).not.toContain(key);
    expect(key).toContain(rest.prefix);
  });

  it('keep only a hash in the database', async () => {
    const { body } = await create({ name: 'Hidden' }).expect(201);
    const secret = body.key.slice(body.key.indexOf(body.prefix) + body.prefix.length);
    expect(secret.length).toBeGreaterThan(30);
    const { rows } = await app.pool.query('select to_jsonb(k)::text as row from api_keys k');
    expect(rows.map(({ row }) => row).join()).not.toContain(secret);
    expect(rows.map(({ row }) => row).join()).not.toContain(app.key);
  });

  it('may do what their scope says', async () => {
    const { body: read } = await create({ name: 'r', scope: 'read' }).expect(201);
    const { body: write } = await create({ name: 'w' }).expect(201);
    const feature = { feature_name: 'Scopes' };
    await withKey(read.key).get('/api/organization/').expect(200);
    const refused = await withKey(read.key).post('/api/features/').send(feature).expect(403);
    expect(refused.body.title).toBe('permission_denied');
    await withKey(write.key).post('/api/features/').send(feature).expect(201);
    await withKey(write.key).patch('/api/organization/').send({}).expect(403);
    await withKey(write.key).get('/api/api_keys/').expect(403);
  });

  it('are refused from the moment they expire or are revoked', async () => {
    const { body } = await create({ name: 'Short', expires_at: '2999-01-01' }).expect(201);
    const ping = () => withKey(body.key).get('/api/ping/');
    await ping().expect(200);
    await app.pool.query(`update api_keys set expires_at = now() where name = 'Short'`);
    expect((await ping().expect(401)).body.title).toBe('authentication_failed');
    await app.pool.query(`update api_keys set expires_at = null, revoked_at = now() where name = 'Short'`);
    await ping().expect(401);
  });

  it('cannot expire in the past', async () => {
    const { body } = await create({ name: 'Late', expires_at: '2020-01-01' }).expect(400);
    expect(body.validation_errors).toMatchObject([{ attr: 'expires_at', code: 'invalid' }]);
  });

  it('a repeat of the request tells of the key, and not the key itself', async () => {
    const post = () => create({ name: 'Once' }).set('Idempotency-Key', 'make-a-key').expect(201);
    const first = await post();
    const second = await post();
    expect(second.body).toEqual({ ...first.body, key: null });
    const { rows } = await app.pool.query('select answer::text from idempotency_keys');
    expect(rows[0].answer).not.toContain(first.body.key);
  });
});

describe('the first organization', () => {
  let database: TestDatabase;
  const start = (apiKey: string) =>
    startTestApp({ databaseUrl: database.url, env: { API_KEY: apiKey, PORT: '0' } });
  /** Returns the number of keys of the first organization and the position of the newest event. */
  const keysAndLog = async ({ pool, service }: TestApp) => {
    const { rows } = await pool.query<{ keys: string }>(
      'select count(*) as keys from api_keys where org = $1',
      [FIRST_ORGANIZATION],
    );
    return { keys: rows[0]!.keys, head: await service.app.get<EventStore>(EVENT_STORE).head() };
  };

  beforeAll(async () => {
    database = await createTestDatabase('recount_with_read_models');
  });
  afterAll(async () => {
    dropEventLog(database.url);
    await database.drop();
  });

  it('is made by the first start, found by the next, and given every further API_KEY', async () => {
    const first = await start('first-key-of-the-first-organization');
    await first.request.get('/api/ping/').expect(200);
    const made = await keysAndLog(first);
    expect(made).toEqual({ keys: '1', head: expect.anything() });
    await first.stop();

    const again = await start('first-key-of-the-first-organization');
    expect(await keysAndLog(again)).toEqual(made);
    await again.stop();

    const other = await start('another-key-of-the-first-organization');
    await other.request.get('/api/api_keys/').expect(200);
    await request(other.url)
      .get('/api/ping/')
      .set('X-API-KEY', 'first-key-of-the-first-organization')
      .expect(200);
    const { keys, head } = await keysAndLog(other);
    expect(keys).toBe('2');
    // The creation of the second key is an event.
    expect(head).not.toEqual(made.head);
    await other.stop();
  });
});
