import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { until } from '../support/until.js';

let app: TestApp;
/** Lines of the service's log about failures; `requests` has all other lines. */
const errors: string[] = [];
const requests: string[] = [];
const note = (line: string): void => void (/"level":[56]0/.test(line) ? errors : requests).push(line);

beforeAll(async () => {
  app = await startTestApp({ env: { LOG_LEVEL: 'info' }, log: { write: (line) => note(line) } });
});
afterAll(() => app.stop());

describe('a multipart form that breaks off', () => {
  const PART = '--b\r\nContent-Disposition: form-data; name="feature_name"\r\n\r\nHalf';
  const send = async (path: string, text: string, length: string) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.on('error', () => {});
    const head = [
      'Host: x',
      `X-API-KEY: ${app.key}`,
      'Content-Type: multipart/form-data; boundary=b',
      length,
    ];
    socket.write([`POST ${path} HTTP/1.1`, ...head, '', text].join('\r\n'));
    return socket;
  };

  it('is no error of the service', async () => {
    errors.length = 0;
    for (const length of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
      const arrived = once(app.service.app.getHttpServer(), 'request');
      const socket = await send(
        '/api/features/',
        length.startsWith('T') ? `${PART.length.toString(16)}\r\n${PART}\r\n` : PART,
        length,
      );
      await arrived;
      await sleep(50);
      socket.destroy();
    }
    await until(() => requests.filter((line) => line.includes('"aborted"')).length >= 2);
    expect(errors).toEqual([]);
  });

  it('is refused where the connection stays', async () => {
    errors.length = 0;
    for (const text of [PART, 'nothing of the kind', '--b\r\nContent-Disposition\r\n\r\n']) {
      const socket = await send('/api/features/', text, `Content-Length: ${text.length}`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
      socket.destroy();
    }
    expect(errors).toEqual([]);
  });

  it('holds no text that cannot be stored', async () => {
    await app.request.post('/api/features/').field('feature_name', 'a\0b').expect(400);
  });
});
