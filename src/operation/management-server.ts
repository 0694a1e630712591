import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';
import type { Readiness } from '../platform/eventsourcing/read-models.js';
import { NO_STORE } from '../platform/http/server/caching.js';

/**
 * For orchestrators and Prometheus, on a port of its own in whatever role the process is: /healthcheck, /readiness and
 * /metrics. It asks for no key, so the port is not to be reached from outside.
 */
export async function startManagementServer(
  port: number,
  host: string,
  readiness: Readiness,
  registry: Registry,
): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: string, type = 'application/json'): void => {
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': NO_STORE }).end(body);
    };
    switch (request.url?.split('?')[0]?.replace(/\/$/, '')) {
      case '/healthcheck':
        return answer(200, '{}');
      case '/readiness': {
        const reasons = readiness.reasons();
        return answer(reasons.length === 0 ? 200 : 503, JSON.stringify({ reasons }));
      }
      case '/metrics':
        registry.metrics().then(
          (text) => answer(200, text, registry.contentType),
          () => answer(503, '{"reasons":["The stores do not answer."]}'),
        );
        return;
      default:
        return answer(404, '{}');
    }
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
