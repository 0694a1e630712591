import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Config } from './platform/config/config.js';
import { NOT_STORED } from './platform/http/server/not-stored.js';

const REASON = 'The process waits for its stores.';

/**
 * Answers on the process's ports while it waits for its stores. Ports chosen by the system are not opened.
 */
export async function openWaitingServers({
  roles,
  port,
  managementPort = 0,
  host,
}: Config): Promise<{ close(): Promise<void> }> {
  const servers = [
    ...(roles.has('api') && port !== 0 ? [await listen(answerRequest, port, host)] : []),
    ...(managementPort === 0 ? [] : [await listen(answerManagement, managementPort, host)]),
  ];
  return {
    close: async () => {
      for (const server of servers) {
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      }
    },
  };
}

const answerRequest: RequestListener = ({ url }, response) => {
  if (/^\/api\/healthcheck\/?(\?|$)/.test(url ?? '')) {
    response.writeHead(200, { 'Content-Type': 'application/json', ...NOT_STORED }).end('{}');
    return;
  }
  const problem = {
    type: 'urn:recount:problems#server-error',
    title: 'unavailable',
    detail: REASON,
    status: 503,
    instance: randomUUID(),
  };
  const headers = {
    'Content-Type': 'application/problem+json',
    'Retry-After': '2',
    ...NOT_STORED,
  };
  response.writeHead(503, headers).end(JSON.stringify(problem));
};

const answerManagement: RequestListener = ({ url }, response) => {
  const isAlive = /^\/healthcheck\/?(\?|$)/.test(url ?? '');
  const body = isAlive ? {} : { reasons: [REASON] };
  response
    .writeHead(isAlive ? 200 : 503, { 'Content-Type': 'application/json', ...NOT_STORED })
    .end(JSON.stringify(body));
};

async function listen(answer: RequestListener, port: number, host: string): Promise<Server> {
  const server = createServer(answer);
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
