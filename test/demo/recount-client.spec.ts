import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RecountClient } from '../../demo/recount-client.js';

describe("the demo's client", () => {
  let unavailable = 0;
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(body);
      if (unavailable > 0) response.writeHead(503, { 'Retry-After': '0' }).end('{}');
      else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}');
      unavailable -= 1;
    });
  });
  let url: string;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it('sends again what is answered 503, the same body, as long as its patience lasts', async () => {
    unavailable = 3;
    const client = new RecountClient(url, 'a key', 60_000);
    expect(await client.post('/api/plans/', { a: 1 })).toEqual({ ok: true });
    expect(bodies).toEqual(Array(4).fill('{"a":1}'));
  });

  it('says what was answered when it has none', async () => {
    unavailable = 1;
    await expect(new RecountClient(url, 'a key').get('/api/plans/')).rejects.toThrow('GET /api/plans/: 503');
  });
});
