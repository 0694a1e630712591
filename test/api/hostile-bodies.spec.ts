import { once } from 'node:events';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bodyFixture, type BodyFixture } from '../support/api-contract/body-fixture.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sendChunks } from '../support/raw-request.js';
import { storedCounts } from '../support/stored.js';
import { until } from '../support/until.js';

const MB = 1024 * 1024;
const MULTIPART = 'multipart/form-data; boundary=b';
/** 160 chunks are 10 MB. */
const CHUNK = Buffer.alloc(MB / 16, 'x');

const LENGTHS: readonly Readonly<Record<string, string>>[] = [
  { 'Content-Length': String(10 * MB) },
  { 'Transfer-Encoding': 'chunked' },
];

let app: TestApp;
let fixture: BodyFixture;
let before: unknown;

beforeAll(async () => {
  // The refused bodies have more bytes than the default rate limit of an organization allows.
  app = await startTestApp({ clockStart: '2026-01-20T00:00:00Z', env: { RATE_LIMIT: '1000000' } });
  fixture = await bodyFixture(app);
});
afterAll(() => app.stop());
beforeEach(async () => {
  before = await storedCounts(app);
});
afterEach(async () => {
  expect(await storedCounts(app)).toEqual(before);
  await app.request.get('/api/ping/').expect(200);
});

const withType = (type: string) => ({ 'X-API-KEY': app.key, 'Content-Type': type });

describe('a body that is refused leaves nothing behind:', () => {
  it.each([
    ['JSON', 'application/json', '{"x": "'],
    ['a form', 'application/x-www-form-urlencoded', 'x='],
    ['a multipart form', MULTIPART, '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n'],
  ])('10 MB of %s, for every operation, announced or not', async (_, type, start) => {
    const chunk = Buffer.from(CHUNK);
    chunk.write(start);
    for (const { name, operation } of fixture.readers) {
      for (const length of LENGTHS) {
        const answer = await sendChunks(`${app.url}${fixture.pathOf(operation)}`, {
          method: operation.method.toUpperCase(),
          headers: { ...withType(type), 'X-API-KEY': fixture.keyOf(operation), ...length },
          chunk,
          times: 160,
        });
        expect({ name, length, ...answer, body: JSON.parse(answer.body) as unknown }).toEqual({
          name,
          length,
          status: 413,
          type: 'application/problem+json; charset=utf-8',
          body: expect.objectContaining({ title: 'payload_too_large', status: 413 }) as unknown,
        });
      }
    }
  });

  it('fields of a multipart form that are small each and large together', async () => {
    const field = `--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n${'x'.repeat(60_000)}\r\n`;
    const { status } = await sendChunks(`${app.url}/api/features/`, {
      headers: withType(MULTIPART),
      chunk: Buffer.from(field),
      times: 900,
    });
    expect(status).toBe(413);
  });

  it('another media type, or none', async () => {
    const types = ['text/plain', 'application/xml', 'text/json', 'application/jsonp', 'image/png'];
    for (const { name, operation } of fixture.readers) {
      for (const type of types) {
        const { status, body } = await fixture.send(operation, '{}', type);
        expect({ name, type, status, title: body.title }).toEqual({
          name,
          type,
          status: 415,
          title: 'unsupported_media_type',
        });
      }
    }
    const headers = { 'X-API-KEY': app.key };
    const untyped = await sendChunks(`${app.url}/api/features/`, {
      headers,
      chunk: Buffer.from('{}'),
      times: 1,
    });
    expect(untyped.status).toBe(415);
  });

  it('text that is no JSON', async () => {
    const literals = ['NaN', 'Infinity', '01', '1,', '"\t"', '0x1', '"\\x"', 'undefined'];
    const texts = ['{', '{}{}', '/**/{}', "{'a': 1}", ...literals.map((value) => `{"a": ${value}}`)];
    for (const { name, operation } of fixture.readers) {
      for (const text of texts) {
        const { status, body } = await fixture.send(operation, text);
        expect({ name, text, status, title: body.title }).toEqual({
          name,
          text,
          status: 400,
          title: 'parse_error',
        });
      }
    }
  });

  it('half of one, announced longer than it is or broken off between two chunks', async () => {
    const halves = [
      'Content-Length: 1000\r\n\r\n{"a"',
      'Transfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n10\r\n:',
    ];
    for (const { operation } of fixture.readers) {
      for (const half of halves) {
        const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
        socket.on('error', () => {});
        await once(socket, 'connect');
        const line = `${operation.method.toUpperCase()} ${fixture.pathOf(operation)} HTTP/1.1`;
        const head = `${line}\r\nHost: x\r\nX-API-KEY: ${app.key}\r\nContent-Type: application/json`;
        socket.write(`${head}\r\n${half}`, () => socket.destroy());
        await once(socket, 'close');
      }
    }
  });
});

describe('memory', () => {
  it('stays flat under large bodies of every kind', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = () => {
      const { heapUsed, external } = process.memoryUsage();
      return (heapUsed + external) / MB;
    };
    const types = ['application/json', 'application/x-www-form-urlencoded', MULTIPART];
    const dozen = () =>
      Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          sendChunks(`${app.url}/api/plans/`, { headers: withType(types[n % 3]!), chunk: CHUNK, times: 160 }),
        ),
      );
    await dozen();
    collect();
    const start = used();
    let peak = start;
    // Only memory that is in use after a collection counts.
    const watch = setInterval(() => {
      collect();
      peak = Math.max(peak, used());
    }, 500);
    for (let n = 0; n < 10; n++) await dozen();
    clearInterval(watch);
    // 1.2 GB were sent. At most 1 MB of each pending body is held, and nothing after the answer.
    expect(peak - start).toBeLessThan(100);
    // Closed connections release their buffers a moment later.
    await until(() => {
      collect();
      return used() - start < 10;
    });
  });
});
