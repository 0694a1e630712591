import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { KeyAudit } from '../../src/audit/doctor/key-audit.js';
import { ApiKeys, makeKey } from '../../src/organization/api-keys/api-keys.js';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { dropEventLog } from '../support/event-log.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let app: TestApp;
/** A second process on the same database. */
let beside: TestApp;

beforeAll(async () => {
  database = await createTestDatabase('recount_with_read_models');
  app = await startTestApp({ databaseUrl: database.url });
  beside = await startTestApp({ databaseUrl: database.url, env: { ROLES: 'api' } });
});
afterAll(async () => {
  await beside.stop();
  await app.stop();
  dropEventLog(database.url);
  await database.drop();
});

const make = async (body: object) =>
  (
    await app.request
      .post('/api/api_keys/')
      .send({ name: 'key', ...body })
      .expect(201)
  ).body;
const act = (prefix: string, what: 'rotate' | 'revoke') =>
  app.request.post(`/api/api_keys/${prefix}/${what}/`);
const statuses = async (key: string) =>
  Promise.all(
    [app, beside].map(async ({ url }) => {
      const { status } = await request(url).get('/api/ping/').set('X-API-KEY', key);
      return status;
    }),
  );

describe('revoking an API key', () => {
  it('has it refused at once, by every process', async () => {
    const { key, prefix, ...made } = await make({ scope: 'admin' });
    expect(await statuses(key)).toEqual([200, 200]);
    const { body } = await act(prefix, 'revoke').expect(200);
    expect(body).toEqual({ ...made, prefix, revoked_at: expect.stringMatching(/Z$/) });
    expect(await statuses(key)).toEqual([401, 401]);
    const { body: list } = await beside.request.get('/api/api_keys/').expect(200);
    expect(list).toContainEqual(body);
  });

  it('lets no request through that begins afterwards, however many are under way', async () => {
    const { key, prefix } = await make({});
    let isRevoked = false;
    const ask = async ({ url }: TestApp): Promise<number> => {
      let late = 0;
      // Fewer wrong keys than the number after which an address is throttled.
      for (let n = 0; n < 20; n++) {
        const began = isRevoked;
        const { status } = await request(url).get('/api/ping/').set('X-API-KEY', key);
        if (began && status !== 401) late += 1;
      }
      return late;
    };
    const asking = [app, beside, app, beside].map(ask);
    await act(prefix, 'revoke').expect(200);
    isRevoked = true;
    expect(await Promise.all(asking)).toEqual([0, 0, 0, 0]);
  });

  it('again says the same', async () => {
    const { prefix } = await make({});
    const first = await act(prefix, 'revoke').expect(200);
    expect((await act(prefix, 'revoke').expect(200)).body).toEqual(first.body);
  });

  it('holds when the service is started with the key once more', async () => {
    const key = 'given-to-the-first-organization-1';
    const start = () => startTestApp({ databaseUrl: database.url, env: { API_KEY: key } });
    const given = await start();
    const owner = request.agent(given.url).set('X-API-KEY', key);
    const { body: list } = await owner.get('/api/api_keys/').expect(200);
    const [newest] = (list as { name: string; prefix: string; created_at: string }[])
      .filter(({ name }) => name === 'First key')
      .sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
    await owner.post(`/api/api_keys/${newest!.prefix}/revoke/`).expect(200);
    await given.stop();
    const again = await start();
    await request(again.url).get('/api/ping/').set('X-API-KEY', key).expect(401);
    await again.stop();
  });
});

describe('rotating an API key', () => {
  it('puts one with the same name, scope and expiry in its place, and shows it once', async () => {
    const { key, prefix, ...made } = await make({
      name: 'Reports',
      scope: 'read',
      expires_at: '2999-01-01T00:00:00Z',
    });
    const { body } = await act(prefix, 'rotate').expect(200);
    expect(body).toEqual({
      ...made,
      prefix: expect.stringMatching(/^[0-9a-f]{12}$/),
      key: expect.stringContaining(body.prefix),
      created_at: expect.any(String),
    });
    expect(body.prefix).not.toBe(prefix);
    expect(await statuses(key)).toEqual([401, 401]);
    expect(await statuses(body.key)).toEqual([200, 200]);
    await request(app.url).post('/api/features/').set('X-API-KEY', body.key).expect(403);
  });

  it('twice at once leaves one key', async () => {
    const { prefix } = await make({ name: 'Twice' });
    const answers = await Promise.all([1, 2, 3].map(() => act(prefix, 'rotate')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const { body: list } = await app.request.get('/api/api_keys/').expect(200);
    const inUse = list.filter(
      ({ name, revoked_at }: { name: string; revoked_at: string | null }) =>
        name === 'Twice' && revoked_at === null,
    );
    expect(inUse).toHaveLength(1);
  });

  it('is possible with the key itself', async () => {
    const { key, prefix } = await make({ scope: 'admin' });
    const { body } = await request(app.url)
      .post(`/api/api_keys/${prefix}/rotate/`)
      .set('Authorization', `Token ${key}`)
      .expect(200);
    expect(await statuses(key)).toEqual([401, 401]);
    expect(await statuses(body.key)).toEqual([200, 200]);
  });

  it('is refused for one that is revoked or has expired', async () => {
    const { prefix } = await make({});
    await act(prefix, 'revoke').expect(200);
    expect((await act(prefix, 'rotate').expect(400)).body.title).toBe('invalid_state');
    const old = await make({});
    await app.pool.query('update api_keys set expires_at = now() where prefix = $1', [old.prefix]);
    expect((await act(old.prefix, 'rotate').expect(400)).body.title).toBe('invalid_state');
  });

  it('repeated under the same Idempotency-Key rotates once, and tells the key no second time', async () => {
    const { prefix } = await make({});
    const first = await act(prefix, 'rotate').set('Idempotency-Key', 'rotate-once').expect(200);
    const second = await act(prefix, 'rotate').set('Idempotency-Key', 'rotate-once').expect(200);
    expect(second.body).toEqual({ ...first.body, key: null });
    expect(await statuses(first.body.key)).toEqual([200, 200]);
  });
});

describe('a key of somebody else, or of nobody', () => {
  it('is not found', async () => {
    const { prefix, key } = await make({});
    const { request: other } = await anotherTenant(app);
    for (const what of ['rotate', 'revoke']) {
      for (const unknown of [prefix, 'ffffffffffff', "' or true --"]) {
        const path = `/api/api_keys/${encodeURIComponent(unknown)}/${what}/`;
        expect((await other.post(path).expect(404)).body.title).toBe('not_found');
      }
    }
    expect(await statuses(key)).toEqual([200, 200]);
  });
});

describe('the log', () => {
  const differences = () => app.service.app.get(KeyAudit, { strict: false }).differences(0);

  it('has every key that was created, replaced and revoked, by whom', async () => {
    const { prefix } = await make({ name: 'Ledger', scope: 'read' });
    const replaced = await act(prefix, 'rotate').set('X-Request-Id', 'rotation').expect(200);
    await act(replaced.body.prefix, 'revoke').expect(200);
    const { body } = await app.request.get('/api/audit/log/?subject_kind=api_key&limit=4').expect(200);
    const [revoked, created, ended, first] = body;
    expect(body.map(({ event_type }: { event_type: string }) => event_type)).toEqual([
      'ApiKeyRevoked',
      'ApiKeyCreated',
      'ApiKeyRevoked',
      'ApiKeyCreated',
    ]);
    expect(first.changes).toMatchObject({ name: 'Ledger', scope: 'read', prefix, replaces: null });
    expect(ended).toMatchObject({ subject: first.subject, changes: { replacedBy: created.subject.id } });
    expect(created).toMatchObject({ request_id: 'rotation', changes: { replaces: first.subject.id } });
    expect(revoked).toMatchObject({ subject: created.subject, actor_name: app.keyName });
  });

  it('refuses a key until its event is appended', async () => {
    const { key } = makeKey();
    const keys = app.service.app.get(ApiKeys, { strict: false });
    await keys.add({ id: randomUUID(), org: app.org, key, name: 'Early', scope: 'admin', expiresAt: null });
    expect(await statuses(key)).toEqual([401, 401]);
  });

  it.each([
    ['its name', "name = 'other'", "name = 'Target'"],
    ['its scope', "scope = 'admin'", "scope = 'read'"],
    ['its expiry', 'expires_at = null', "expires_at = '2999-01-01T00:00:00Z'"],
    ['the key itself', "key_hash = sha256('guessed')", undefined],
  ])('shows a key that was changed in the table: %s', async (what, change, back) => {
    const { prefix } = await make({ name: 'Target', scope: 'read', expires_at: '2999-01-01T00:00:00Z' });
    const before = await differences();
    const { rows } = await app.pool.query('select key_hash from api_keys where prefix = $1', [prefix]);
    await app.pool.query(`update api_keys set ${change} where prefix = $1`, [prefix]);
    expect(await differences()).toEqual([
      ...before,
      `key ${prefix} of organization ${app.org} differs from the event that created it: ${what}`,
    ]);
    if (back) await app.pool.query(`update api_keys set ${back} where prefix = $1`, [prefix]);
    else {
      await app.pool.query('update api_keys set key_hash = $2 where prefix = $1', [
        prefix,
        rows[0]!.key_hash,
      ]);
    }
    expect(await differences()).toEqual(before);
  });

  it('shows a key that was added, brought back or deleted in the table', async () => {
    const { org } = await anotherTenant(app);
    const [{ prefix }] = (
      await app.pool.query<{ prefix: string }>('select prefix from api_keys where org = $1', [org])
    ).rows as [{ prefix: string }];
    const ours = async () => (await differences()).filter((one) => one.includes(org));
    expect(await ours()).toEqual([]);
    await app.pool.query(
      `insert into api_keys (id, org, prefix, key_hash, name, scope, recorded)
       values (gen_random_uuid(), $1, 'abcdefabcdef', sha256('x'), 'forged', 'admin', true)`,
      [org],
    );
    expect(await ours()).toEqual([
      `key abcdefabcdef of organization ${org} is in the table and no event created it`,
    ]);
    await app.pool.query(`update api_keys set revoked_at = now() where org = $1`, [org]);
    expect(await ours()).toEqual([
      `key ${prefix} of organization ${org} is revoked in the table and not in the log`,
    ]);
    await app.pool.query(`delete from api_keys where org = $1 and prefix = $2`, [org, prefix]);
    expect(await ours()).toEqual([`key ${prefix} of organization ${org} is in the log and not in the table`]);
  });
});
