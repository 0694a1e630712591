import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Sessions } from '../../src/console/sessions.js';
import { newTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sendTogether } from '../support/raw-request.js';

const BUILD = path.resolve(import.meta.dirname, '../../scripts/build-console.mjs');
const CONSOLE = { 'X-Recount-Console': '1' };

let app: TestApp;
beforeAll(async () => {
  execFileSync(process.execPath, [BUILD]);
  app = await startTestApp();
});
afterAll(() => app.stop());

const logIn = (key: string) => request(app.url).post('/console/session').set('X-API-KEY', key);
/** Returns the cookie without its attributes, as a browser sends it back. */
const cookieOf = (answer: { headers: Record<string, unknown> }): string =>
  (answer.headers['set-cookie'] as string[])[0]!.split(';')[0]!;
const session = async (key = app.key): Promise<string> => cookieOf(await logIn(key).expect(201));
const asBrowser = (cookie: string) => request.agent(app.url).set({ Cookie: cookie, ...CONSOLE });
const makeKey = async (scope: string): Promise<{ key: string; prefix: string }> =>
  (
    await app.request
      .post('/api/api_keys/')
      .send({ name: `console ${scope}`, scope })
      .expect(201)
  ).body;

describe('logging in to the console', () => {
  it('exchanges a key for a cookie that no script reads and no other site sends, of 12 hours', async () => {
    const answer = await logIn(app.key).expect(201);
    const [cookie] = answer.headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(
      /^recount_console=[\w-]{43}; Max-Age=43200; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.body).toEqual({
      organization_id: expect.stringMatching(/^org_/),
      scope: 'admin',
      key_id: expect.any(String),
      key_prefix: expect.any(String),
      key_name: app.keyName,
      expires_at: expect.stringMatching(/Z$/),
      manual_clock: true,
    });
    expect(JSON.stringify(answer.body)).not.toContain(app.key);
    const left = Date.parse(answer.body.expires_at as string) - Date.now();
    expect(Math.round(left / 3_600_000)).toBe(12);
  });

  it('stores the hash of the token, not the token', async () => {
    const token = (await session()).split('=')[1]!;
    const { rows } = await app.pool.query('select * from console_sessions');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'));
  });

  it('the cookie opens the API, and the session says whose it is', async () => {
    const browser = asBrowser(await session());
    await browser.get('/api/customers/').expect(200);
    const { body } = await browser.get('/console/session').expect(200);
    expect(body.scope).toBe('admin');
  });

  it('a wrong key is refused and makes no session', async () => {
    const { body, headers } = await logIn('w'.repeat(40)).expect(401);
    expect(body.title).toBe('authentication_failed');
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('keys that read nothing cannot log in', async () => {
    const { key } = await makeKey('ingest');
    expect((await logIn(key).expect(403)).body.title).toBe('permission_denied');
  });
});

describe('a session', () => {
  it('counts for nothing without the header that no other site can send, not even for a read', async () => {
    const cookie = await session();
    const bare = request.agent(app.url).set({ Cookie: cookie });
    for (const path of ['/api/customers/', '/console/session']) {
      const { body } = await bare.get(path).expect(401);
      expect(body.title).toBe('not_authenticated');
    }
    await bare.post('/api/features/').send({ feature_name: 'Forged' }).expect(401);
    await bare.delete('/console/session').expect(401);
    await asBrowser(cookie).get('/api/customers/').expect(200);
  });

  it('is allowed to no other site by CORS', async () => {
    const { headers } = await request(app.url)
      .options('/api/customers/')
      .set({ Origin: 'https://evil.example', 'Access-Control-Request-Headers': 'x-recount-console' });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['access-control-allow-headers']).toBeUndefined();
  });

  describe('that somebody wrote into the database', () => {
    const token = 'B'.repeat(43);
    const said = () => app.service.app.get(Sessions).foreign();
    const forged = (changes: string) =>
      app.pool.query(`delete from console_sessions where token_hash = sha256('${token}');
        insert into console_sessions (token_hash, org, key_id, expires_at, seal) ${changes}`);

    it.each([
      ['without a seal', `select sha256('${token}'), org, id, '2999-01-01', null from api_keys`],
      [
        'with the seal of another session',
        `select sha256('${token}'), org, key_id, expires_at, seal from console_sessions where seal is not null limit 1`,
      ],
    ])('opens nothing, and the doctor names it: %s', async (_, changes) => {
      await session();
      expect(await said()).toEqual([]);
      await forged(`${changes.replace('from api_keys', `from api_keys where name = '${app.keyName}'`)}`);
      const { body } = await asBrowser(`recount_console=${token}`).get('/api/ping/').expect(401);
      expect(body.detail).toContain('Log in again');
      expect(await said()).toEqual([
        expect.stringMatching(/^session of key .* did not begin it .*delete the row$/),
      ]);
      await app.pool.query(`delete from console_sessions where token_hash = sha256('${token}')`);
    });

    it.each([
      ['another key', `key_id = (select id from api_keys where name = 'console read' limit 1)`],
      ['a later end', `expires_at = expires_at + interval '1 day'`],
    ])('opens nothing with %s', async (_, change) => {
      await makeKey('read');
      const cookie = await session();
      await asBrowser(cookie).get('/api/ping/').expect(200);
      await app.pool.query(`update console_sessions set ${change}`);
      await asBrowser(cookie).get('/api/ping/').expect(401);
      expect((await said()).length).toBeGreaterThan(0);
      await app.pool.query('delete from console_sessions');
    });
  });

  it('ends when it expires', async () => {
    const cookie = await session();
    await app.pool.query("update console_sessions set expires_at = now() - interval '1 second'");
    const { body } = await asBrowser(cookie).get('/api/customers/').expect(401);
    expect(body.detail).toContain('Log in again');
    await session();
    const { rows } = await app.pool.query('select 1 from console_sessions where expires_at < now()');
    expect(rows).toEqual([]);
  });

  it('ends with its key at once', async () => {
    const { key, prefix } = await makeKey('write');
    const browser = asBrowser(await session(key));
    await browser.get('/api/customers/').expect(200);
    await app.request.post(`/api/api_keys/${prefix}/revoke/`).expect(200);
    await browser.get('/api/customers/').expect(401);
    await browser.get('/console/session').expect(401);
  });

  it('ends at logout, for every copy of the cookie', async () => {
    const cookie = await session();
    const answer = await asBrowser(cookie).delete('/console/session').expect(204);
    expect((answer.headers['set-cookie'] as unknown as string[])[0]).toMatch(/^recount_console=;.*1970/);
    await asBrowser(cookie).get('/api/customers/').expect(401);
  });

  it('begins no other session, which would outlive its 12 hours and its logout', async () => {
    const cookie = await session();
    const answer = await asBrowser(cookie).post('/console/session').expect(400);
    expect(answer.body.title).toBe('invalid_operation');
    expect(answer.headers['set-cookie']).toBeUndefined();
    await asBrowser(cookie).post('/console/session').set('X-API-KEY', app.key).expect(201);
  });

  it('of a read key sees everything and changes nothing', async () => {
    const { key } = await makeKey('read');
    const browser = asBrowser(await session(key));
    await browser.get('/api/invoices/').expect(200);
    const { body } = await browser.post('/api/features/').send({ feature_name: 'Refused' }).expect(403);
    expect(body.title).toBe('permission_denied');
  });

  it('shows nothing of another organization', async () => {
    await app.request
      .post('/api/customers/')
      .send({ customer_id: 'ours', customer_name: 'Ours' })
      .expect(201);
    const other = await newTenant(app.service);
    const browser = asBrowser(await session(other.key));
    await browser.get('/api/customers/ours/').expect(404);
    expect((await browser.get('/api/customers/').expect(200)).body).toEqual([]);
  });

  it('gives way to a key in the request', async () => {
    const other = await newTenant(app.service);
    const { body } = await asBrowser(await session())
      .get('/api/ping/')
      .set('X-API-KEY', other.key)
      .expect(200);
    const { body: own } = await app.request.get('/api/ping/').expect(200);
    expect(body.organization_id).not.toBe(own.organization_id);
  });

  it('with a made-up token is refused, and throttled like wrong keys', async () => {
    const alone = await startTestApp();
    try {
      const tries = Array.from({ length: 150 }, (_, n) => [
        `Cookie: recount_console=${`${n}`.padStart(43, 'a')}`,
        ...Object.entries(CONSOLE).map((header) => header.join(': ')),
      ]);
      const answers = await sendTogether(alone.url, '/api/ping/', tries);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    } finally {
      await alone.stop();
    }
  });
});

describe('the page', () => {
  const get = (path: string) => request(app.url).get(path);

  it('is never kept, and runs nothing that is not a file of this service', async () => {
    const { text, headers } = await get('/console/').expect(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = headers['content-security-policy']!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(text).toContain('The console needs JavaScript');
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
  });

  it('is the answer to its own addresses, however deep, with and without a slash', async () => {
    const { text } = await get('/console/').expect(200);
    for (const path of [
      '/console',
      '/console/customers/a.b',
      '/console/invoices/x?sort=-amount',
      '/console/index.html',
    ])
      expect((await get(path).expect(200)).text).toBe(text);
  });

  it('has files that browsers keep for ever, as their names change with their content', async () => {
    const { text } = await get('/console/').expect(200);
    const files = [...text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, file]) => file!);
    expect(files.some((file) => file.endsWith('.js'))).toBe(true);
    expect(files.some((file) => file.endsWith('.css'))).toBe(true);
    for (const file of files) {
      const { headers } = await get(file).expect(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-type']).toMatch(/^text\/(javascript|css); charset=utf-8$/);
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
    expect((await get('/console/theme.js').expect(200)).headers['cache-control']).toBe('no-cache');
  });

  it('is sent compressed to whoever takes it so', async () => {
    const encoding = async (accepted: string): Promise<string | undefined> =>
      (await get('/console/theme.js').set('Accept-Encoding', accepted).expect(200)).headers[
        'content-encoding'
      ];
    expect(await encoding('gzip, deflate, br')).toBe('br');
    expect(await encoding('gzip')).toBe('gzip');
    expect(await encoding('identity')).toBeUndefined();
  });

  it('has no file but those of the build, whatever the path says', async () => {
    const { text: index } = await get('/console/').expect(200);
    for (const path of [
      '/console/..%2f..%2fpackage.json',
      '/console/..%2f..%2f..%2fetc%2fpasswd',
      '/console/%2e%2e/%2e%2e/package.json',
      '/console/assets..%2findex.html',
      '/console/theme.js.br',
    ]) {
      const { status, text } = await get(path);
      expect(status === 404 || text === index).toBe(true);
    }
    await get('/console/assets/of-a-former-build.js').expect(404);
    await get('/console/assets/..%2f..%2f..%2fpackage.json').expect(404);
  });
});
