import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { storedCounts } from '../support/stored.js';

let app: TestApp;
let before: unknown;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-20T00:00:00Z' });
});
afterAll(() => app.stop());
beforeEach(async () => {
  before = await storedCounts(app);
});
afterEach(async () => {
  expect(await storedCounts(app)).toEqual(before);
  await app.request.get('/api/ping/').expect(200);
});

describe('what cannot be read as HTTP is refused in the shape of every refusal:', () => {
  const POST = 'POST /api/features/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json';
  it.each([
    ['what is no HTTP at all', 'NONSENSE\r\n\r\n', 400],
    ['two lengths', `${POST}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`, 400],
    ['a length that is none', `${POST}\r\nContent-Length: -1\r\n\r\n`, 400],
    ['a chunk that is none', `${POST}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    ['an expectation', `${POST}\r\nExpect: nonsense\r\n\r\n`, 417],
    ['a header without end', `${POST}\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`, 413],
    ['100,000 tags', `GET /api/plans/?${'include_tags=a&'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 413],
  ])('%s', async (_, text, status) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => (answer += String(data)));
    socket.on('error', () => {});
    socket.write(text);
    await once(socket, 'close');
    const [head, body] = answer.split('\r\n\r\n') as [string, string];
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toMatch(/content-type: application\/problem\+json/i);
    expect(JSON.parse(body)).toMatchObject({
      type: expect.stringMatching(/#client-error$/),
      status,
      title: expect.any(String),
      instance: expect.any(String),
    });
  });

  it('answers a sender who sends on before it reads, without a reset of the connection', async () => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1').pause();
    const errors: Error[] = [];
    let answer = '';
    socket.on('data', (data) => (answer += String(data)));
    socket.on('error', (error) => errors.push(error));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('GET /api/plans/?');
    for (let sent = 0; sent < 5 && errors.length === 0; sent++) {
      socket.write('include_tags=a&'.repeat(5_000));
      await sleep(50);
    }
    socket.resume();
    await closed;
    expect(errors).toEqual([]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });
});
