import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Express } from 'express';
import { SharedPrototypeExpressAdapter } from '../../../src/platform/http/server/express-adapter.js';

const adapter = new SharedPrototypeExpressAdapter();
const app = adapter.getInstance<Express>();
let server: Server;

beforeAll(async () => {
  adapter.initHttpServer();
  server = adapter.getHttpServer() as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

it('requests and responses have the prototypes of Express before it sees them', async () => {
  app.use((_, response) => void response.json({ isExpress: true }));
  const seen: object[] = [];
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    seen.push(Object.getPrototypeOf(request) as object, Object.getPrototypeOf(response) as object);
  });
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
  expect(await answer.json()).toEqual({ isExpress: true });
  expect(seen).toEqual([expect.anything(), expect.anything()]);
  expect(seen[0] === app.request && seen[1] === app.response).toBe(true);
});
