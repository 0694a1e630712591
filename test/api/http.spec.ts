import { once } from 'node:events';
import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApp, type TestApp } from '../support/app.js';

const PROBLEM = 'application/problem+json; charset=utf-8';
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const post = (path = '/api/features/') => app.request.post(path);
const feature = (name: string) => ({ feature_name: name });

describe('paths and methods', () => {
  it('with and without trailing slash, without a redirect', async () => {
    await app.request.get('/api/ping').redirects(0).expect(200);
    await app.request.get('/api/ping/').redirects(0).expect(200);
    await post('/api/features').send(feature('Slash')).redirects(0).expect(201);
  });

  it('the address itself says where to go, without a key, and every link opens', async () => {
    const { body, headers } = await request(app.url).get('/').expect(200);
    const version = headers['x-api-version'];
    const paths = { documentation: '/api/docs', openapi: '/api/openapi.json', health: '/api/healthcheck/' };
    const links = Object.entries({ ...paths, console: '/console/' }).map(([key, to]) => [key, app.url + to]);
    expect(body).toEqual({ name: 'Recount', version, ...Object.fromEntries(links) });
    for (const path of Object.values(paths)) await request(app.url).get(path).expect(200);
  });

  it('an unknown path is not found', async () => {
    for (const path of ['/api/nothing/', '/api/__proto__/', '/api/ping/x', '/favicon.ico']) {
      const { body, headers } = await app.request.get(path).expect(404);
      expect(body.title).toBe('not_found');
      expect(headers['content-type']).toBe(PROBLEM);
    }
  });

  it('a path id that cannot be text is not found', async () => {
    for (const id of ['%zz', '%ff', 'a%00b']) await app.request.get(`/api/features/${id}/`).expect(404);
  });

  it('a known path with another method says which ones there are', async () => {
    const { body, headers } = await app.request.delete('/api/features/').expect(405);
    expect(body.title).toBe('method_not_allowed');
    expect(headers.allow).toBe('GET, POST');
    await app.request.put('/api/ping').expect(405);
  });
});

describe('an answer', () => {
  it('carries the correlation id, the caller’s own where it is a plain token', async () => {
    const own = await app.request.get('/api/ping/').set('X-Request-Id', 'job-17.a_B').expect(200);
    expect(own.headers['x-request-id']).toBe('job-17.a_B');
    for (const odd of ['two words', 'a@b.example', 'x'.repeat(65), '<b>']) {
      const { headers } = await app.request.get('/api/ping/').set('X-Request-Id', odd).expect(200);
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('that is a refusal has its request id in its body', async () => {
    const { body, headers } = await app.request.get('/api/nothing/').expect(404);
    expect(body).toEqual({
      type: expect.stringMatching(/#client-error$/),
      title: 'not_found',
      detail: expect.any(String),
      status: 404,
      instance: headers['x-request-id'],
    });
  });

  it('with wrong fields lists them', async () => {
    const { body } = await post()
      .send({ feature_name: 7, feature_description: 'x'.repeat(5001) })
      .expect(400);
    expect(body).toMatchObject({
      type: expect.stringMatching(/#validation-error$/),
      title: 'invalid',
      status: 400,
    });
    expect(body.validation_errors).toEqual([
      { attr: 'feature_name', code: 'invalid', detail: expect.any(String) },
      { attr: 'feature_description', code: 'max_length', detail: expect.any(String) },
    ]);
  });

  it('keeps the connection', async () => {
    const { headers } = await app.request.get('/api/ping/').set('Connection', 'keep-alive').expect(200);
    expect(headers['keep-alive']).toMatch(/timeout=65/);
  });

  it('has the headers of a careful server and none that names it', async () => {
    const { headers } = await app.request.get('/api/ping/').expect(200);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN' });
    expect(headers['x-powered-by']).toBeUndefined();
  });
});

describe('a body', () => {
  const json = (text: string, path = '/api/features/') =>
    post(path).set('Content-Type', 'application/json').send(text);

  it('that is not JSON is a parse error', async () => {
    for (const text of ['{', '{"feature_name": "x",}', 'feature', '{"a": "\u0001"}']) {
      expect((await json(text).expect(400)).body.title).toBe('parse_error');
    }
  });

  it('nested without end is refused like any other that cannot be read', async () => {
    const deep = `${'['.repeat(200_000)}"\\u0041"${']'.repeat(200_000)}`;
    await json(deep).expect(400);
    await json(`{"feature_name": ${deep}}`).expect(400);
    await json(`{"feature_name": "Deep", "ignored": ${deep}}`).expect(400);
    await json(`{"plan_name": "x", "initial_version": {"components": ${deep}}}`, '/api/plans/').expect(400);
    await json(`{"customer_id": "deep", "properties": {"x": ${deep}}}`, '/api/customers/').expect(400);
    const event = `{"event_name": "e", "customer_id": "c", "idempotency_id": "i", "time_created": "2026-01-01"`;
    await json(`{"batch": [${event}, "properties": {"x": ${deep}}}]}`, '/api/track/').expect(400);
  });

  it('that is no object is invalid', async () => {
    for (const text of ['[]', '"x"', '7', 'null', '[{"feature_name": "x"}]']) {
      const { body } = await json(text).expect(400);
      expect(body.validation_errors).toMatchObject([{ attr: 'non_field_errors', code: 'invalid' }]);
    }
  });

  it('that is empty says which fields are required', async () => {
    const { body } = await post().expect(400);
    expect(body.validation_errors).toMatchObject([{ attr: 'feature_name', code: 'required' }]);
  });

  it('in another media type or charset is refused', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/octet-stream']) {
      const { body } = await post().set('Content-Type', type).send('<x/>').expect(415);
      expect(body.title).toBe('unsupported_media_type');
    }
    await post().set('Content-Type', 'application/json; charset=latin1').send('{}').expect(415);
    await post()
      .set('Content-Encoding', 'br7')
      .set('Content-Type', 'application/json')
      .send('{}')
      .expect(415);
  });

  it('is read from a form as well', async () => {
    await post().type('form').send(feature('From a form')).expect(201);
    const sent = await post().field('feature_name', 'From a multipart form').expect(201);
    expect(sent.body.feature_name).toBe('From a multipart form');
    await post().attach('file', Buffer.from('x'), 'x.txt').expect(400);
  });

  it('is 1 MB at most, for usage 5 MB and 256 kB an event', async () => {
    const filled = { x: 'x'.repeat(1024 * 205) };
    const events = (count: number) => JSON.stringify({ batch: Array(count).fill(filled) });
    const large = JSON.stringify({ ...feature('Big'), list: Array(5).fill(filled) });
    expect((await json(large).expect(413)).body.title).toBe('payload_too_large');
    for (const path of ['/api/track', '/api/track/', '/api/track/?x=1']) {
      expect((await json(events(24), path)).status).not.toBe(413);
      await json(events(25), path).expect(413);
    }
    await json(JSON.stringify({ batch: [{ x: 'x'.repeat(256 * 1024) }] }), '/api/track/').expect(413);
  });

  it('with text that cannot be stored is refused', async () => {
    for (const text of ['\\u0000', 'a\\ud800', '\\udc00\\ud800']) {
      const { body } = await json(`{"feature_name": "${text}"}`).expect(400);
      expect(body.validation_errors).toMatchObject([{ code: 'invalid' }]);
      await json(`{"feature_name": "x", "y": {"${text}": 1}}`).expect(400);
    }
    await json('{"feature_name": "\\ud83d\\ude00 \\\\u0000"}').expect(201);
    await post().type('form').send('feature_name=a%00').expect(400);
  });

  it('with a number beyond a double is refused, wherever it is', async () => {
    const huge = ['1e999', '-1e999', '1E+400', `1${'0'.repeat(400)}`, `-${'9'.repeat(310)}.5`];
    const faultsOf = async (path: string, text: string, method: 'post' | 'patch' = 'post') => {
      const sent = app.request[method](path).set('Content-Type', 'application/json').send(text);
      const { body } = await sent.expect(400);
      return body.validation_errors;
    };
    const fault = (attr: string) => [{ attr, code: 'invalid', detail: expect.stringContaining('double') }];
    await app.request.post('/api/customers/').send({ customer_id: 'large' }).expect(201);
    for (const number of huge) {
      const places: readonly (readonly [string, string])[] = [
        [`{"x": ${number}}`, 'properties.x'],
        [`{"x": {"y": [0, {"z": ${number}}]}}`, 'properties.x.y.1.z'],
      ];
      for (const [properties, attr] of places) {
        const text = `{"customer_id": "larger", "properties": ${properties}}`;
        expect(await faultsOf('/api/customers/', text)).toEqual(fault(attr));
        expect(await faultsOf('/api/customers/large/', text, 'patch')).toEqual(fault(attr));
      }
      const metadata = await faultsOf('/api/subscriptions/sub_0/update/', `{"metadata": {"m": ${number}}}`);
      expect(metadata).toEqual(fault('metadata.m'));
      expect(await faultsOf('/api/features/', `{"feature_name": ${number}}`)).toEqual(fault('feature_name'));
      expect(await faultsOf('/api/features/', `{"feature_name": "x", "y": ${number}}`)).toEqual(fault('y'));
    }
    for (const number of ['1e308', '1e-999', '0e999', `0.${'1'.repeat(400)}`]) {
      await json(
        `{"customer_id": "in-range-${number.slice(0, 6)}", "properties": {"x": ${number}}}`,
        '/api/customers/',
      ).expect(201);
    }
    const filters = encodeURIComponent('[{"property_name": "x", "value": 1e999}]');
    const path = `/api/subscriptions/?customer_id=large&subscription_filters=${filters}`;
    expect((await app.request.get(path).expect(400)).body.validation_errors).toMatchObject([
      { attr: 'subscription_filters' },
    ]);
  });

  it('of usage fails with each event that holds a number beyond a double', async () => {
    const event = (id: string, x: string) =>
      `{"event_name": "e", "customer_id": "c", "idempotency_id": "${id}", "time_created": "2026-01-01", "properties": {"x": ${x}}}`;
    const { body } = await json(
      `{"batch": [${event('fine', '[1]')}, ${event('huge', '[1e999]')}]}`,
      '/api/track/',
    ).expect(201);
    expect(body).toEqual({ success: 'some', failed_events: { huge: expect.stringContaining('too large') } });
    await json(event('alone', '{"y": -1e999}'), '/api/track/').expect(400);
  });

  it('with keys named as members of every object changes nothing but its own fields', async () => {
    const { body } = await json(
      '{"feature_name": "Proto", "__proto__": {"feature_description": "x"}, "constructor": {"prototype": {"y": 1}}}',
    ).expect(201);
    expect(body).toMatchObject({ feature_name: 'Proto', feature_description: null });
    expect(({} as { y?: number }).y).toBeUndefined();
  });

  it('that breaks off leaves nothing behind', async () => {
    const broken = rawRequest(`${app.url}/api/features/`, {
      method: 'POST',
      headers: { 'X-API-KEY': app.key, 'Content-Type': 'application/json', 'Content-Length': '100' },
    });
    broken.on('error', () => {});
    broken.write('{"feature_name": "Half');
    await new Promise((resolve) => setTimeout(resolve, 50));
    broken.destroy();
    const { body } = await app.request.get('/api/features/').expect(200);
    expect(body.map((f: { feature_name: string }) => f.feature_name)).not.toContain('Half');
  });
});

describe('what is not HTTP as it should be', () => {
  it('is answered 400 and the service continues', async () => {
    const { port } = new URL(app.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('NONSENSE\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400/);
    socket.destroy();
    await app.request.get('/api/ping/').expect(200);
  });

  it('a failure that nobody foresaw shows nothing of the inside', async () => {
    await app.pool.query('alter table api_keys rename to hidden_keys');
    try {
      const { body, headers } = await app.request.get('/api/ping/').expect(500);
      expect(body).toEqual({
        type: expect.stringMatching(/#server-error$/),
        title: 'error',
        detail: expect.not.stringContaining('api_keys'),
        status: 500,
        instance: headers['x-request-id'],
      });
    } finally {
      await app.pool.query('alter table hidden_keys rename to api_keys');
    }
  });
});

describe('a list in pages', () => {
  it('is a plain array with the next page in the Link header, to the end', async () => {
    for (let n = 0; n < 5; n++)
      await post()
        .send(feature(`Page ${n}`))
        .expect(201);
    const all = (await app.request.get('/api/features/').expect(200)).body as unknown[];
    const seen: unknown[] = [];
    let next: string | undefined = `${app.url}/api/features/?limit=2`;
    for (let pages = 0; next && pages < 50; pages++) {
      const page: request.Response = await request(next).get('').set('X-API-KEY', app.key).expect(200);
      expect(page.body.length).toBeLessThanOrEqual(2);
      seen.push(...page.body);
      next = /^<(.+)>; rel="next"$/.exec(page.headers['link'] ?? '')?.[1];
    }
    expect(seen).toEqual(all);
  });

  it('a limit out of bounds and a cursor from elsewhere are refused', async () => {
    await app.request.get('/api/features/?limit=0').expect(400);
    await app.request.get('/api/features/?limit=100000').expect(400);
    const { body } = await app.request.get('/api/features/?cursor=xyz').expect(400);
    expect(body.validation_errors).toMatchObject([{ attr: 'cursor', code: 'invalid' }]);
  });
});
