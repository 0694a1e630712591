import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import { readCommand } from '../../src/cli/read-command.js';
import { streamName } from '../../src/kernel/event.js';
import { fromWireId } from '../../src/kernel/ids.js';
import { SETTINGS } from '../../src/organization/domain/organization.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { BOOTSTRAP_KEY, startTestApp, type TestApp } from '../support/app.js';
import { recount } from '../support/recount.js';

let app: TestApp;
let bootstrap: TestAgent;

beforeAll(async () => {
  app = await startTestApp();
  bootstrap = request.agent(app.url).set('X-API-KEY', BOOTSTRAP_KEY);
});
afterAll(() => app.stop());

const create = (body: object) => bootstrap.post('/api/organizations/').send(body);
const list = async (query = '') => (await bootstrap.get(`/api/organizations/${query}`).expect(200)).body;
const withKey = (key: string) => request.agent(app.url).set('X-API-KEY', key);

describe('creating an organization with the bootstrap key', () => {
  it('makes it and its admin key, which is shown this once', async () => {
    const asked = { organization_name: ' Second ', default_currency_code: 'EUR', timezone: 'Europe/Berlin' };
    const { body } = await create(asked).expect(201);
    const { admin_key: key, ...organization } = body;
    expect(organization).toEqual({
      organization_id: expect.stringMatching(/^org_[0-9a-f]{32}$/),
      organization_name: 'Second',
      default_currency_code: 'EUR',
      timezone: 'Europe/Berlin',
      created_at: key.created_at,
    });
    expect(key).toMatchObject({ name: 'First key', scope: 'admin', expires_at: null, revoked_at: null });

    const admin = withKey(key.key);
    expect((await admin.get('/api/ping/').expect(200)).body.organization_id).toBe(
      organization.organization_id,
    );
    const { body: settings } = await admin.get('/api/organization/').expect(200);
    expect(settings).toMatchObject({ organization_name: 'Second', default_currency_code: 'EUR' });
    expect((await admin.get('/api/api_keys/').expect(200)).body).toHaveLength(1);
    expect(await list()).toContainEqual({ ...organization, unreadable: null });
    expect(JSON.stringify(await list())).not.toContain(key.key);
    const { rows } = await app.pool.query('select to_jsonb(k)::text as row from api_keys k');
    expect(rows.map(({ row }) => row).join()).not.toContain(key.key);
  });

  it('makes one with the settings of a new organization when only a name is given', async () => {
    const { body } = await create({ organization_name: 'Plain' }).expect(201);
    expect(body).toMatchObject({ default_currency_code: 'USD', timezone: 'UTC' });
  });

  it('makes one per Idempotency-Key, and tells the key no second time', async () => {
    const once = () => create({ organization_name: 'Once' }).set('Idempotency-Key', 'make-once');
    const first = await once().expect(201);
    const second = await once().expect(201);
    expect(second.body).toEqual({ ...first.body, admin_key: { ...first.body.admin_key, key: null } });
    const named = (await list()).filter(
      (one: { organization_name: string }) => one.organization_name === 'Once',
    );
    expect(named).toHaveLength(1);
    const other = await create({ organization_name: 'Two' }).set('Idempotency-Key', 'make-once').expect(422);
    expect(other.body.title).toBe('idempotency_key_reused');
    const { rows } = await app.pool.query('select answer::text from idempotency_keys');
    expect(JSON.stringify(rows)).not.toContain(first.body.admin_key.key);
  });

  it('makes one of several requests at once under one Idempotency-Key', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => create({ organization_name: 'Race' }).set('Idempotency-Key', 'race')),
    );
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.organization_id);
    expect(new Set(made).size).toBe(1);
    const named = (await list()).filter(
      (one: { organization_name: string }) => one.organization_name === 'Race',
    );
    expect(named).toHaveLength(1);
  });

  it('lists them by pages, in the order they were made', async () => {
    const all = await list();
    const paged: unknown[] = [];
    let next: string | undefined = '/api/organizations/?limit=2';
    while (next) {
      const { body, headers }: request.Response = await bootstrap.get(next).expect(200);
      paged.push(...(body as unknown[]));
      next = /<([^>]+)>/.exec(headers['link'] ?? '')?.[1]?.replace(app.url, '');
    }
    expect(paged).toEqual(all);
    expect(all.length).toBeGreaterThan(2);
  });

  it('lists one whose settings cannot be read with its id and why, and the others as they are', async () => {
    const before: { organization_id: string }[] = await list();
    const { body: damaged } = await create({ organization_name: 'Damaged' }).expect(201);
    const { organization_id, created_at } = damaged;
    const stream = streamName('organization', fromWireId('org', organization_id)!, SETTINGS);
    const store = app.service.app.get<EventStore>(EVENT_STORE, { strict: false });
    const read = store.readStream.bind(store);
    const spied = jest.spyOn(store, 'readStream').mockImplementation((asked, ...options) => {
      if (asked === stream) throw new Error('the key is lost');
      return read(asked, ...options);
    });
    expect(await list()).toEqual([
      ...before,
      {
        organization_id,
        organization_name: null,
        default_currency_code: null,
        timezone: null,
        created_at,
        unreadable: 'the key is lost',
      },
    ]);
    spied.mockRestore();
  });

  it('refuses what is no organization, and makes none', async () => {
    const before = await list();
    const refused = [
      {},
      [],
      { organization_name: '' },
      { organization_name: '   ' },
      { organization_name: null },
      { organization_name: 'x'.repeat(201) },
      { organization_name: { $ne: 1 } },
      { organization_name: ['x'] },
      { organization_name: 'x\u0000' },
      { organization_name: 'x', default_currency_code: 'DOLLARS' },
      { organization_name: 'x', default_currency_code: 7 },
      { organization_name: 'x', timezone: 'Mars/Olympus' },
      { organization_name: 'x', timezone: '../../etc/passwd' },
    ];
    for (const body of refused) {
      const { status } = await create(body);
      expect({ body, status }).toEqual({ body, status: 400 });
    }
    await bootstrap.post('/api/organizations/').type('json').send('{"organization_name":').expect(400);
    await bootstrap.get('/api/organizations/?cursor=nonsense').expect(400);
    await bootstrap.get('/api/organizations/?limit=0').expect(400);
    await create({ organization_name: 'x' }).set('Idempotency-Key', 'two words').expect(400);
    expect(await list()).toEqual(before);
  });

  it('keeps a name as it is written, whatever it looks like', async () => {
    for (const name of [
      "Robert'); drop table events;--",
      '<script>alert(1)</script>',
      '__proto__',
      '会社 🏢',
    ]) {
      const { body } = await create({ organization_name: name }).expect(201);
      expect(body.organization_name).toBe(name);
    }
  });
});

describe('the bootstrap key', () => {
  it('does nothing else', async () => {
    for (const path of [
      'ping',
      'organization',
      'api_keys',
      'customers',
      'invoices',
      'webhooks',
      'test_clock',
    ])
      expect((await bootstrap.get(`/api/${path}/`).expect(403)).body.title).toBe('permission_denied');
    await bootstrap.post('/api/track/').send({ batch: [] }).expect(403);
    await bootstrap.post('/api/api_keys/').send({ name: 'mine' }).expect(403);
    await bootstrap.patch('/api/organization/').send({}).expect(403);
  });

  it('is the only key that lists or makes organizations', async () => {
    const keys = await Promise.all(
      ['ingest', 'read', 'write', 'admin'].map(
        async (scope) => (await app.request.post('/api/api_keys/').send({ name: scope, scope })).body.key,
      ),
    );
    for (const key of [...keys, app.key] as string[]) {
      await withKey(key).get('/api/organizations/').expect(403);
      await withKey(key).post('/api/organizations/').send({ organization_name: 'Mine' }).expect(403);
    }
    for (const key of [BOOTSTRAP_KEY.slice(0, -1), `${BOOTSTRAP_KEY}x`, BOOTSTRAP_KEY.toUpperCase()])
      await withKey(key).get('/api/organizations/').expect(401);
    await request(app.url).get('/api/organizations/').expect(401);
  });

  it('is unknown to a service without the setting, which lets no key do this', async () => {
    const plain = await startTestApp({
      databaseUrl: app.databaseUrl,
      env: { BOOTSTRAP_KEY: '', ROLES: 'api' },
    });
    await request(plain.url).get('/api/organizations/').set('X-API-KEY', BOOTSTRAP_KEY).expect(401);
    await plain.request.get('/api/organizations/').expect(403);
    await plain.stop();
  });
});

describe('recount organization', () => {
  it('makes an organization, shows its admin key, and lists it', async () => {
    const { lines, isWell } = await recount(app, 'organization', 'create', 'By hand');
    expect(isWell).toBe(true);
    expect(lines).toEqual([
      expect.stringMatching(/^organization org_[0-9a-f]{32}$/),
      expect.stringMatching(/^admin key, shown this once: recount_[0-9a-f]{12}_[\w-]{43}$/),
    ]);
    const [id, key] = [lines[0]!.split(' ')[1]!, lines[1]!.split(': ')[1]!];
    const { body } = await withKey(key).get('/api/organization/').expect(200);
    expect(body).toMatchObject({ organization_id: id, organization_name: 'By hand' });
    const listed = await recount(app, 'organization', 'list');
    expect(listed.lines).toContainEqual(
      expect.stringMatching(new RegExp(`^${id}  since \\S+, by the clock of the machine  "By hand"$`)),
    );
    expect(listed.lines).toHaveLength((await list()).length);
    expect(listed.lines.join()).not.toContain(key);
  });

  it('names an organization whose key was never printed, and prints another key of it', async () => {
    const name = 'Broken off';
    // The process ends before it prints what it has stored.
    const printed = await recount(app, 'organization', 'create', name);
    const id = printed.lines[0]!.split(' ')[1]!;
    const again = await recount(app, 'organization', 'create', name, '--json');
    const [{ message }, { organization_id: other }] = again.lines.map((line) => JSON.parse(line));
    expect(message).toMatch(new RegExp(`^${id} has this name since .+ add-key --organization ${id} prints`));
    expect(other).not.toBe(id);

    const { lines } = await recount(app, 'organization', 'add-key', '--organization', id);
    expect(lines[0]).toBe(`organization ${id}`);
    const own = withKey(lines[1]!.split(': ')[1]!);
    expect((await own.get('/api/organization/').expect(200)).body).toMatchObject({ organization_id: id });
    const { body: keys } = await own.get('/api/api_keys/').expect(200);
    expect(keys).toMatchObject([{ name: 'First key' }, { name: 'Key of the command line', scope: 'admin' }]);
    const unknown = `org_${'0'.repeat(32)}`;
    await expect(recount(app, 'organization', 'add-key', '--organization', unknown)).rejects.toThrow(
      /There is no organization/,
    );
  });

  it('keeps tenants apart: what one has the other does not see', async () => {
    const { lines } = await recount(app, 'organization', 'create', 'Apart');
    const apart = withKey(lines[1]!.split(': ')[1]!);
    await app.request.post('/api/customers/').send({ customer_id: 'mine' }).expect(201);
    expect((await apart.get('/api/customers/').expect(200)).body).toEqual([]);
  });

  it.each([
    [],
    ['create'],
    ['create', ''],
    ['create', 'a', 'b'],
    ['delete', 'a'],
    ['create', 'x'.repeat(201)],
  ])('says what is wrong with it: %j', async (...argv) => {
    await expect(readCommand(['organization', ...argv])).rejects.toThrow(/recount organization /);
  });
});
