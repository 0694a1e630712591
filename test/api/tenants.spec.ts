import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { Response } from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import { ApiDocument, type OpenApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { operationsOf, type DocumentedOperation } from '../support/api-contract/document-index.js';
import { bodiesOf, bodySchema, filledPath, type Ids, type Json } from '../support/api-contract/samples.js';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { richTenant } from '../support/rich-tenant.js';

const MARK = 'seen-by-nobody-else';

let app: TestApp;
let document: OpenApiDocument;
let operations: readonly DocumentedOperation[];
let other: TestAgent;
/** Ids of the first organization; `nobodys` are ids that do not exist. */
let theirs: Ids;
let nobodys: Ids;

const detailsOf = ({ path, method }: DocumentedOperation) => document.paths[path]![method]!;
const scopesOf = (operation: DocumentedOperation) =>
  (detailsOf(operation)['security'] as Record<string, string[]>[]).flatMap((scheme) =>
    Object.values(scheme).flat(),
  );
/** Returns whether an operation needs no key: it names no security scheme, or allows none as an alternative. */
const isPublic = (operation: DocumentedOperation): boolean => {
  const schemes = detailsOf(operation)['security'] as readonly object[];
  return schemes.length === 0 || schemes.some((scheme) => Object.keys(scheme).length === 0);
};

beforeAll(async () => {
  app = await startTestApp({
    clockStart: '2026-01-20T00:00:00Z',
    env: { TRUSTED_PROXIES: 'loopback' },
  });
  document = JSON.parse(JSON.stringify(app.service.app.get(ApiDocument).get())) as OpenApiDocument;
  // The caller chooses a customer_id, so creating one makes it known to the other organization. Creations come last.
  const isCreate = ({ method, path }: DocumentedOperation) =>
    method === 'post' && (path === '/api/customers/' || path === '/api/track/');
  const all = operationsOf(document).filter((operation) => !scopesOf(operation).includes('bootstrap'));
  operations = [...all.filter((operation) => !isCreate(operation)), ...all.filter(isCreate)];
  theirs = await richTenant(app, MARK);
  nobodys = Object.fromEntries(
    Object.entries(theirs).map(([name, id]) => [
      name,
      id.replace(/[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f-]{27}/, (uuid) =>
        uuid.includes('-') ? randomUUID() : randomUUID().replaceAll('-', ''),
      ),
    ]),
  );
  nobodys = { ...nobodys, customer_id: 'nobody', prefix: 'nobodyskey' };
  other = (await anotherTenant(app)).request;
});
afterAll(() => app.stop());

let texts = 0;
const text = () => `text ${(texts += 1)}`;

/** Returns all requests of an operation with these ids, as [path with query, body]. */
function requestsOf(operation: DocumentedOperation, ids: Ids): [string, unknown][] {
  const details = detailsOf(operation);
  const path = filledPath(operation.path, ids);
  const parameters = (details['parameters'] as Json[]).filter((sent) => sent['in'] === 'query');
  const named = parameters.filter((sent) => ids[String(sent['name'])] !== undefined);
  const required = named.filter((sent) => sent['required'] === true);
  const inQuery = (of: readonly Json[]) =>
    of.map(({ name }) => `${String(name)}=${encodeURIComponent(ids[String(name)]!)}`).join('&');
  const queries = [required, ...named.map((sent) => [...new Set([...required, sent])]), named].map(inQuery);
  const schema = bodySchema(document, operation);
  const bodies = schema ? bodiesOf(document, schema, ids, text) : [undefined];
  return [...new Set(queries)].flatMap((query) =>
    bodies.map((sent): [string, unknown] => [query ? `${path}?${query}` : path, sent]),
  );
}

const send = (agent: TestAgent, { method }: DocumentedOperation, [path, body]: [string, unknown]) => {
  const prepared = (agent as unknown as Record<string, (path: string) => request.Test>)[method]!(path);
  return body === undefined ? prepared : prepared.send(body as object);
};

const outcome = ({ status, body }: Response) => {
  const { title, validation_errors: faults = [] } = body as { title?: string; validation_errors?: Json[] };
  return { status, title, faults: faults.map(({ attr, code }) => `${String(attr)}: ${String(code)}`) };
};

/** Returns all answers to the first organization by operation, except for the API document: its examples contain the time. */
async function everything(): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  for (const operation of operations.filter(
    ({ method, path }) => method === 'get' && !path.endsWith('/pdf/') && !path.endsWith('/openapi.json'),
  )) {
    for (const sent of requestsOf(operation, theirs)) {
      const { body } = await send(app.request, operation, sent);
      // A refusal contains the id of its request.
      seen[sent[0]] = Array.isArray(body) ? body : { ...body, instance: undefined };
    }
  }
  return seen;
}

describe('another organization', () => {
  it('neither sees nor touches anything: an id of somebody else is exactly as unknown as one of nobody', async () => {
    const before = await everything();
    const differences: unknown[] = [];
    let asked = 0;
    for (const operation of operations.filter((one) => !isPublic(one))) {
      const [withTheirs, withNobodys] = [requestsOf(operation, theirs), requestsOf(operation, nobodys)];
      for (const [place, sent] of withTheirs.entries()) {
        const answer = await send(other, operation, sent);
        const same = await send(other, operation, withNobodys[place]!);
        asked += 2;
        const shows = JSON.stringify([answer.body, answer.headers]).includes(MARK);
        const [found, expected] = [outcome(answer), outcome(same)];
        if (shows || answer.status >= 500 || JSON.stringify(found) !== JSON.stringify(expected)) {
          differences.push({
            operation: `${operation.method} ${sent[0]}`,
            body: sent[1],
            shows,
            found,
            expected,
          });
        }
      }
    }
    expect(differences).toEqual([]);
    expect(asked).toBeGreaterThan(200);
    expect(await everything()).toEqual(before);
  });

  it('finds nothing under an id in a path', async () => {
    for (const operation of operations.filter((one) => one.method === 'get' && one.path.includes('{'))) {
      if (isPublic(operation)) continue;
      const [sent] = requestsOf(operation, theirs);
      const mine = await send(app.request, operation, sent!);
      expect({ path: sent![0], status: mine.status }).toEqual({ path: sent![0], status: 200 });
      if (operation.path.includes('{customer_id}')) continue;
      const { status, body } = await send(other, operation, sent!);
      expect({ path: sent![0], status, title: body.title }).toEqual({
        path: sent![0],
        status: 404,
        title: expect.stringMatching(/^(resource_)?not_found$/) as unknown,
      });
    }
  });
});

describe('every operation but the public ones', () => {
  const refused = async (
    agentOf: TestAgent | (() => TestAgent),
    wanted: (operation: DocumentedOperation) => object | undefined,
  ) => {
    for (const operation of operations.filter((one) => !isPublic(one))) {
      const expected = wanted(operation);
      if (!expected) continue;
      const [sent] = requestsOf(operation, theirs);
      const agent = 'get' in agentOf ? agentOf : agentOf();
      const { status, body } = await send(agent, operation, sent!);
      const name = `${operation.method} ${operation.path}`;
      expect({ name, status, title: body.title }).toEqual({ name, ...expected });
    }
  };

  it('asks for a key', () =>
    refused(request.agent(app.url), () => ({ status: 401, title: 'not_authenticated' })));

  it('refuses a key that is none', () => {
    let sender = 0;
    // Wrong keys are throttled by address, so each request comes from another one.
    const wrong = () =>
      request.agent(app.url).set({
        'X-API-KEY': 'no-key-of-anybody',
        'X-Forwarded-For': `203.0.113.${(sender += 1)}`,
      });
    return refused(wrong, () => ({ status: 401, title: 'authentication_failed' }));
  });

  it.each([
    ['ingest', ['ingest']],
    ['read', ['read']],
    ['write', ['read', 'write']],
  ] as const)('refuses a key with the scope %s for what takes more', async (scope, included) => {
    const { body } = await app.request.post('/api/api_keys/').send({ name: scope, scope }).expect(201);
    await refused(request.agent(app.url).set('Authorization', `Token ${body.key}`), (operation) =>
      scopesOf(operation).some((one) => (included as readonly string[]).includes(one))
        ? undefined
        : { status: 403, title: 'permission_denied' },
    );
  });
});
