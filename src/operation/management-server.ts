import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';
import type { Readiness } from '../platform/eventsourcing/read-models.js';
import type { Warnings } from '../platform/telemetry/warnings.js';
import { NOT_STORED } from '../platform/http/server/not-stored.js';

/**
 * Serves /healthcheck, /readiness and /metrics to orchestrators and Prometheus, on a port of its own and in every role.
 * It requires no API key, so do not expose the port.
 */
export async function startManagementServer(
  port: number,
  host: string,
  readiness: Readiness,
  warnings: Warnings,
  registry: Registry,
): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: string, type = 'application/json'): void => {
      response.writeHead(status, { 'Content-Type': type, ...NOT_STORED }).end(body);
    };
    switch (request.url?.split('?')[0]?.replace(/\/$/, '')) {
      case '/healthcheck':
        return answer(200, '{}');
      case '/readiness': {
        const reasons = readiness.reasons();
        const { sentences } = warnings;
        const shown = { reasons, ...(sentences.length > 0 && { warnings: sentences }) };
        return answer(reasons.length === 0 ? 200 : 503, JSON.stringify(shown));
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
