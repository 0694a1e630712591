import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ApiDocument, type OpenApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { operationsOf } from '../support/api-contract/document-index.js';
import { filledPath, type Json } from '../support/api-contract/samples.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { dropEventLog } from '../support/event-log.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

/** Longest time until an answer. On a busy machine only one answer in some tries may come in time. */
const WITHIN_MS = 2_000;
const TRIES = 10;

describe('while no process fills the read models', () => {
  let database: TestDatabase;
  let api: TestApp;
  let otherKey: string;
  let reads: string[];

  const post = async (path: string, body: object) =>
    (await api.request.post(path).send(body).expect(201)).body as Record<string, string>;
  const asOther = (path: string) => request(api.url).get(path).set('X-API-KEY', otherKey);

  /** Sends a request. Returns its answer as a fault, unless it says in time that the read models are behind. */
  async function faultOf(ask: () => request.Test, path: string): Promise<string[]> {
    for (let tries = 1; ; tries++) {
      const started = performance.now();
      const { status, body, headers } = await ask();
      const ms = performance.now() - started;
      const isHonest =
        (status === 503 && body.title === 'unavailable' && headers['retry-after'] !== undefined) ||
        (status === 200 && headers['x-recount-stale'] === 'true');
      if (isHonest && ms < WITHIN_MS) return [];
      if (!isHonest || tries === TRIES) return [`${path}: ${status} ${body.title} in ${Math.round(ms)} ms`];
    }
  }

  beforeAll(async () => {
    database = await createTestDatabase('recount_with_read_models');
    api = await startTestApp({ databaseUrl: database.url, env: { ROLES: 'api' }, limitsWaits: true });
    const { key } = await post('/api/api_keys/', { name: 'other', scope: 'admin' });
    otherKey = key!;
    reads = readsOfResources(JSON.parse(JSON.stringify(api.service.app.get(ApiDocument).get())));
  });
  afterAll(async () => {
    await api.stop();
    dropEventLog(database.url);
    await database.drop();
  });

  it('what was just acknowledged is not unknown to another key: a read waits, then says that it is behind', async () => {
    const { metric_id: metric } = await post('/api/metrics/', {
      metric_name: 'calls',
      event_name: 'call',
      metric_type: 'counter',
      usage_aggregation_type: 'count',
    });
    const { feature_id: feature } = await post('/api/features/', { feature_name: 'seats' });
    await post('/api/customers/', { customer_id: 'c', email: 'c@example.com' });
    const faults: string[] = [];
    for (const path of [
      `/api/metric_access/?customer_id=c&metric_id=${metric}`,
      `/api/feature_access/?customer_id=c&feature_id=${feature}`,
    ])
      faults.push(...(await faultOf(() => asOther(path), path)));
    expect(faults).toEqual([]);
  });

  it('every read of a resource answers within two seconds that it is behind, whichever key asks', async () => {
    const faults: string[] = [];
    for (const path of reads) {
      faults.push(...(await faultOf(() => api.request.get(path), `own key, ${path}`)));
      faults.push(...(await faultOf(() => asOther(path), `other key, ${path}`)));
    }
    expect(faults).toEqual([]);
    expect(reads.length).toBeGreaterThanOrEqual(21);
  });
});

/** Returns a path for every GET of a single resource that requires a key, with unknown ids and the required query. */
function readsOfResources(document: OpenApiDocument): string[] {
  const ids = new Proxy<Record<string, string>>({}, { get: () => randomUUID() });
  return operationsOf(document)
    .filter(({ method, path }) => method === 'get' && path.includes('{') && !path.endsWith('}/pdf/'))
    .map(({ method, path }) => {
      const required = (document.paths[path]![method]!['parameters'] as Json[])
        .filter((sent) => sent['in'] === 'query' && sent['required'] === true)
        .map(({ name }) => `${String(name)}=${randomUUID()}`);
      return [filledPath(path, ids), ...(required.length > 0 ? [required.join('&')] : [])].join('?');
    });
}
