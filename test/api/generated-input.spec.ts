import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import request from 'supertest';
import { ApiDocument, type OpenApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { operationsOf, type DocumentedOperation } from '../support/api-contract/document-index.js';
import { requestsLike, type GeneratedRequest } from '../support/api-contract/generated-requests.js';
import type { Ids } from '../support/api-contract/samples.js';
import { BOOTSTRAP_KEY, startTestApp, type TestApp } from '../support/app.js';
import { theSame } from '../support/law-runs.js';
import { richTenant } from '../support/rich-tenant.js';

/**
 * Requests per operation. To test more of them, run
 * `HOSTILE_RUNS=300 HOSTILE_SEED=… npm run jest -- --selectProjects integration -- generated-input`.
 */
const RUNS = Number(process.env['HOSTILE_RUNS'] ?? 10);
/** Number of requests per operation that are the same in every run. They cause every status that the test expects. */
const THE_SAME = 5;
const SEED = Number(process.env['HOSTILE_SEED'] ?? 20261122);

let app: TestApp;
let document: OpenApiDocument;
let operations: readonly DocumentedOperation[];
let ids: Ids;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-20T00:00:00Z' });
  document = JSON.parse(JSON.stringify(app.service.app.get(ApiDocument).get())) as OpenApiDocument;
  // Operations that end a resource come last, so that the resource exists for the others.
  const ends = /\/(?:delete|erase|archive|void|cancel|revoke)\/$/;
  operations = operationsOf(document).sort((a, b) => Number(ends.test(a.path)) - Number(ends.test(b.path)));
  ids = await richTenant(app, 'generated');
});
afterAll(() => app.stop());

function send({ method }: DocumentedOperation, { path, type, body }: GeneratedRequest) {
  const agent = request(app.url) as unknown as Record<string, (path: string) => request.Test>;
  const key = path.startsWith('/api/organizations/') ? BOOTSTRAP_KEY : app.key;
  const prepared = agent[method]!(path).set('X-API-KEY', key);
  // The body is text already; by default supertest would serialize it again.
  return body === undefined ? prepared : prepared.set('Content-Type', type).serialize(String).send(body);
}

describe('requests made up from the API document', () => {
  it(`never fail inside, and every refusal has its shape (seed ${SEED}, ${RUNS} of each operation)`, async () => {
    const statuses = new Map<number, number>();
    for (const operation of operations) {
      const requests = requestsLike(document, operation, ids);
      await fc.assert(
        fc.asyncProperty(requests, async (asked) => {
          const { status, body } = await send(operation, asked);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          const problem = {
            status,
            body: status >= 500 ? (body as unknown) : undefined,
            faults: app.faults.splice(0),
          };
          expect(problem).toEqual({ status: expect.any(Number), body: undefined, faults: [] });
        }),
        { numRuns: RUNS, seed: SEED, ...theSame(THE_SAME, fc.tuple(requests)) },
      );
    }
    // Some requests are accepted and some are refused, for more than one reason.
    for (const status of [200, 201, 400, 404]) expect(statuses.get(status)).toBeGreaterThan(0);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
