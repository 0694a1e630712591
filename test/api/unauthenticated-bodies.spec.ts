import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApp, type TestApp } from '../support/app.js';
import { sendChunks, sendHead, sendTogether } from '../support/raw-request.js';

const MB = 1024 * 1024;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const headOnly = (lines: readonly string[]): Promise<string> => sendHead(app.url, '/api/features/', lines);

describe('a body of a caller without a valid key', () => {
  const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'];

  it.each(types)('is not waited for: %s', async (type) => {
    for (const key of ['Accept: */*', 'X-API-KEY: unknown-key']) {
      const answer = await headOnly([key, `Content-Type: ${type}`, 'Content-Length: 100000']);
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
      expect(answer).toMatch(/^Connection: close\r$/m);
      expect(answer).toContain('"status":401');
    }
  });

  it('is refused for its key before its type, its length and its path are looked at', async () => {
    const post = (path: string) => request(app.url).post(path).set('X-API-KEY', 'unknown-key');
    await post('/api/features/').set('Content-Type', 'text/plain').send('x').expect(401);
    await post('/api/nothing/').send({}).expect(401);
    await post('/api/features/').set('Content-Encoding', 'br7').send({}).expect(401);
    const answer = await headOnly([
      'X-API-KEY: unknown-key',
      'Content-Type: text/plain',
      'Content-Length: 99999999',
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is not asked for where the caller waits to be asked', async () => {
    const expecting = ['Content-Type: application/json', 'Content-Length: 2', 'Expect: 100-continue'];
    expect(await headOnly(['X-API-KEY: unknown-key', ...expecting])).toMatch(/^HTTP\/1\.1 401 /);
    expect(await headOnly([`X-API-KEY: ${app.key}`, ...expecting])).toMatch(/^HTTP\/1\.1 100 /);
  });

  it('large as it is, does not keep the answer from its sender', async () => {
    const lengths: Record<string, string>[] = [
      { 'Content-Length': String(6 * MB) },
      { 'Transfer-Encoding': 'chunked' },
    ];
    for (const length of lengths) {
      const headers = { 'X-API-KEY': 'unknown-key', 'Content-Type': 'application/json', ...length };
      const answer = await sendChunks(`${app.url}/api/track/`, {
        headers,
        chunk: Buffer.alloc(MB / 16),
        times: 96,
      });
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body)).toMatchObject({ title: 'authentication_failed' });
    }
  });
});

describe('a body of a known caller', () => {
  const post = (path = '/api/features/') => app.request.post(path).set('Content-Type', 'application/json');
  const refused = async (text: string, path?: string) => (await post(path).send(text).expect(400)).body;

  it('is refused when it is nested deeper than 64 levels, has too many objects, values or members', async () => {
    const bodies: readonly (readonly [string, string])[] = [
      ['levels', `{"feature_name": "x", "y": ${'['.repeat(64)}${']'.repeat(64)}}`],
      ['objects and lists', `{"feature_name": "x", "y": [${'{},'.repeat(20_000)}{}]}`],
      ['values', `{"feature_name": "x", "y": [${'1,'.repeat(200_000)}1]}`],
      ['members', JSON.stringify(Object.fromEntries(Array.from({ length: 5_001 }, (_, n) => [`k${n}`, n])))],
    ];
    for (const [what, text] of bodies) {
      for (const path of ['/api/features/', '/api/track/']) {
        const { title, validation_errors } = await refused(text, path);
        expect({ what, path, title, validation_errors }).toEqual({
          what,
          path,
          title: 'max_length',
          validation_errors: [
            { attr: 'non_field_errors', code: 'max_length', detail: expect.stringContaining(what) },
          ],
        });
      }
    }
    await post()
      .send(`{"feature_name": "Deep enough", "y": ${'['.repeat(63)}"{[,\\"]}"${']'.repeat(63)}}`)
      .expect(201);
  });

  it('is inflated, by gzip, deflate or br, and no further than it may be long', async () => {
    const zipped = (text: string, path?: string) =>
      post(path)
        .set('Content-Encoding', 'gzip')
        .serialize((body) => body as string)
        .send(gzipSync(text) as never);
    await zipped('{"feature_name": "Inflated"}').expect(201);
    await zipped(`{"feature_name": "Alike", "y": "${'x'.repeat(60_000)}"}`).expect(201);
    expect(
      (await zipped(`{"feature_name": "Bomb", "y": "${'x'.repeat(MB - 100)}"}`).expect(413)).body.title,
    ).toBe('payload_too_large');
    await zipped(`["${'x'.repeat(5 * MB)}"]`, '/api/track/').expect(413);
    await post().set('Content-Encoding', 'gzip').send('{"feature_name": "Not zipped"}').expect(400);
    await post()
      .set('Content-Encoding', 'gzip')
      .serialize((body) => body as string)
      .send(gzipSync('{"feature_name": "Cut off"}').subarray(0, 20) as never)
      .expect(400);
  });

  it('is refused unread with GET', async () => {
    const answer = await app.request.get('/api/ping/').set('Content-Type', 'application/json').send('{');
    expect([answer.status, answer.body.title]).toEqual([400, 'invalid']);
  });

  it('of a form has a thousand fields at most', async () => {
    await app.request
      .post('/api/features/')
      .type('form')
      .send(`feature_name=Wide${'&a=1'.repeat(999)}`)
      .expect(201);
    await app.request
      .post('/api/features/')
      .type('form')
      .send(`feature_name=Wider${'&a=1'.repeat(1_000)}`)
      .expect(413);
  });
});

describe('who sends wrong keys in masses', () => {
  it('is told to wait, by address, while known keys of that address are served', async () => {
    await app.request.get('/api/ping/').expect(200);
    const wrong = Array.from({ length: 200 }, (_, n) => [`X-API-KEY: wrong-key-${n}`]);
    const answers = await sendTogether(app.url, '/api/ping/', wrong);
    expect(answers).toHaveLength(wrong.length);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    const { body, head } = answers.find(({ status }) => status === 429)!;
    expect(JSON.parse(body)).toMatchObject({ title: 'throttled', status: 429 });
    expect(head).toMatch(/^retry-after: 1$/im);
    await app.request.get('/api/ping/').expect(200);
  });
});
