import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { KeyAudit } from '../../src/audit/doctor/key-audit.js';
import { makeKey } from '../../src/organization/api-keys/api-keys.js';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';

describe('an API key in the table', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  const statusOf = async (key: string) =>
    (await request(app.url).get('/api/ping/').set('X-API-KEY', key)).status;
  const make = async (scope = 'read'): Promise<{ key: string; prefix: string }> =>
    (await app.request.post('/api/api_keys/').send({ name: 'key', scope }).expect(201)).body;
  const change = (prefix: string, set: string) =>
    app.pool.query(`update api_keys set ${set} where prefix = $1`, [prefix]);
  const sealOf = async (prefix: string): Promise<Buffer | null> =>
    (await app.pool.query('select seal from api_keys where prefix = $1', [prefix])).rows[0].seal;
  const named = async (prefix: string) =>
    (await app.service.app.get(KeyAudit, { strict: false }).differences(0)).filter((one) =>
      one.includes(prefix),
    );

  it('is missed also where no key of its organization is left', async () => {
    const { org } = await anotherTenant(app);
    const { rows } = await app.pool.query<{ prefix: string }>(
      'delete from api_keys where org = $1 returning prefix',
      [org],
    );
    expect(await named(rows[0]!.prefix)).toEqual([
      `key ${rows[0]!.prefix} of organization ${org} is in the log and not in the table`,
    ]);
  });

  it.each([
    ['without a seal', 'null'],
    ['with the seal of another key', '(select seal from api_keys where seal is not null limit 1)'],
  ])('opens nothing where somebody else added it, %s', async (_, seal) => {
    const { key, prefix } = makeKey();
    for (const recorded of ['true', 'null']) {
      await app.pool.query(
        `insert into api_keys (id, org, prefix, key_hash, name, scope, recorded, seal)
         values ($1, $2, $3, sha256(convert_to($4, 'UTF8')), 'forged', 'admin', ${recorded}, ${seal})`,
        [randomUUID(), app.org, prefix, key],
      );
      expect(await statusOf(key)).toBe(401);
      expect(await named(prefix)).toEqual([expect.stringContaining('no event created it')]);
      await app.pool.query('delete from api_keys where prefix = $1', [prefix]);
    }
  });

  it.each([
    ['another scope', `scope = 'admin'`],
    ['another expiry', `expires_at = '2999-01-01'`],
    [
      'the hash of another key',
      `key_hash = sha256(convert_to('recount_' || prefix || '_' || repeat('x', 43), 'UTF8'))`,
    ],
  ])('opens nothing with %s, with its seal and without', async (_, set) => {
    const { key, prefix } = await make();
    expect(await statusOf(key)).toBe(200);
    await change(prefix, set);
    const changed = set.startsWith('key_hash') ? `recount_${prefix}_${'x'.repeat(43)}` : key;
    expect(await statusOf(changed)).toBe(401);
    await change(prefix, 'seal = null');
    expect(await statusOf(changed)).toBe(401);
    expect(await sealOf(prefix)).toBeNull();
  });

  it('is sealed when it is used, where it is older than seals and its events confirm it', async () => {
    const { key, prefix } = await make();
    const seal = await sealOf(prefix);
    expect(seal).toHaveLength(32);
    await change(prefix, 'seal = null');
    expect(await named(prefix)).toEqual([]);
    expect(await statusOf(key)).toBe(200);
    expect(await sealOf(prefix)).toEqual(seal);
  });

  it('is named by the doctor where it has another seal', async () => {
    const { key, prefix } = await make();
    await change(prefix, `seal = sha256('x')`);
    expect(await statusOf(key)).toBe(401);
    expect(await named(prefix)).toEqual([
      `key ${prefix} of organization ${app.org} has a seal that the service did not write, and is refused: set it to null`,
    ]);
    await change(prefix, 'seal = null');
    expect(await statusOf(key)).toBe(200);
    expect(await named(prefix)).toEqual([]);
  });

  it('opens nothing once it was revoked, also where somebody brings it back', async () => {
    const { key, prefix } = await make();
    await app.request.post(`/api/api_keys/${prefix}/revoke/`).expect(200);
    expect(await sealOf(prefix)).toBeNull();
    await change(prefix, 'revoked_at = null');
    expect(await statusOf(key)).toBe(401);
    expect(await named(prefix)).toEqual([
      expect.stringContaining('is revoked in the log and not in the table'),
    ]);
  });

  it('ends the sessions of the console that it began where somebody changes it', async () => {
    const { key, prefix } = await make();
    const { headers } = await request(app.url).post('/console/session').set('X-API-KEY', key).expect(201);
    const cookie = (headers['set-cookie'] as unknown as string[])[0]!.split(';')[0]!;
    const browser = request.agent(app.url).set({ Cookie: cookie, 'X-Recount-Console': '1' });
    await browser.get('/api/ping/').expect(200);
    await change(prefix, `scope = 'admin'`);
    await browser.get('/api/ping/').expect(401);
    await change(prefix, `scope = 'read'`);
    await browser.get('/api/ping/').expect(200);
  });
});
