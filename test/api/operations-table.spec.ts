import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import { ApiDocument, type OpenApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { anotherTenant } from '../support/another-tenant.js';
import { allOperations, type RequestParts, type Operation } from '../support/api-contract/operation.js';
import type { Ids } from '../support/api-contract/samples.js';
import { BOOTSTRAP_KEY, startTestApp, type TestApp } from '../support/app.js';
import { richTenant } from '../support/rich-tenant.js';
import { storedCounts } from '../support/stored.js';

const FILE = path.resolve(import.meta.dirname, '../../docs/operations.md');
const COLUMNS = [
  'operation',
  'scope',
  'done',
  '400',
  '401',
  '403',
  '404',
  'another tenant',
  'repeat',
  '412',
  '413',
  '415',
];
const NONE = '';
/** Next lower scope of each scope, with which an operation that requires the scope is refused. */
const UNDER: Readonly<Record<string, string>> = {
  bootstrap: 'admin',
  admin: 'write',
  write: 'read',
  read: 'ingest',
};

let app: TestApp;
let document: OpenApiDocument;
let stranger: TestAgent;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-20T00:00:00Z' });
  document = JSON.parse(JSON.stringify(app.service.app.get(ApiDocument).get())) as OpenApiDocument;
  stranger = (await anotherTenant(app)).request;
  // Without this checkpoint, its existence would depend on the schedule.
  await stranger.post('/api/audit/checkpoints/').expect(201);
});
afterAll(() => app.stop());

/** Returns status and title of a refusal, such as `400 required`, and the status alone of other answers. */
const inShort = ({ status, body }: request.Response): string =>
  status < 400 ? String(status) : `${status} ${(body as { title?: string }).title}`;

const nobodys = (ids: Ids): Ids =>
  Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [
      name,
      name === 'customer_id' || name === 'prefix'
        ? 'nobody'
        : id.replace(/[0-9a-f]{30}|[0-9a-f-]{30}/, (hex) => hex.replace(/[0-9a-f]/g, '7')),
    ]),
  );

interface Tenant {
  readonly agent: TestAgent;
  readonly ids: Ids;
}

async function newTenant(mark: string): Promise<Tenant> {
  const { request: agent } = await anotherTenant(app);
  return { agent, ids: await richTenant({ ...app, request: agent }, mark) };
}

/** Returns the row of an operation, one cell per column. */
async function rowOf(asked: Operation, place: number, shared: Tenant): Promise<readonly string[]> {
  const anonymous = request.agent(app.url);
  if (asked.isPublic) {
    const done = asked.operation.path.includes('{') ? NONE : inShort(await asked.ask(anonymous, { ids: {} }));
    return [asked.name, 'none', done, ...Array<string>(COLUMNS.length - 3).fill(NONE)];
  }
  // Reads change nothing, so they share one organization.
  const isRead = asked.operation.method === 'get';
  const { agent: admin, ids: all } = isRead ? shared : await newTenant(`table-${place}`);
  const agent = asked.isBootstrap ? request.agent(app.url).set('X-API-KEY', BOOTSTRAP_KEY) : admin;
  const ids = asked.acceptedIds(all);
  const body = asked.acceptedBody(ids);
  const withKey = async (scope: string) => {
    const made = await admin.post('/api/api_keys/').send({ name: scope, scope }).expect(201);
    return request.agent(app.url).set('X-API-KEY', made.body.key as string);
  };
  const [wrongBody, wrongQuery] = [asked.wrongBody(), asked.wrongQuery()];
  const hasId = asked.operation.path.includes('{');
  const { scopes } = asked;
  const under = scopes.length > 1 && scopes[0] === 'read' ? undefined : UNDER[scopes[0]!];
  const text = { ids, body: 'x'.repeat(6 * 1024 * 1024) };

  const unknownKey = await asked.ask(request.agent(app.url).set('X-API-KEY', 'nobodys-key'), { ids, body });
  const noKey = await asked.ask(anonymous, { ids, body });
  expect([inShort(noKey), inShort(unknownKey)]).toEqual([
    '401 not_authenticated',
    '401 authentication_failed',
  ]);
  const refused = [
    wrongBody
      ? inShort(await asked.ask(agent, { ids, body: wrongBody }))
      : wrongQuery
        ? inShort(await asked.ask(agent, { ids, query: wrongQuery }))
        : NONE,
    '401',
    under ? inShort(await asked.ask(await withKey(under), { ids, body })) : NONE,
    hasId ? inShort(await asked.ask(agent, { ids: nobodys(ids), body })) : NONE,
    inShort(await asked.ask(stranger, { ids, body })),
  ];
  const ofHeaders = [
    asked.has('If-Match')
      ? inShort(await asked.ask(agent, { ids, body, headers: { 'If-Match': '"99999"' } }))
      : NONE,
    asked.readsBody
      ? inShort(await asked.ask(agent, { ...text, headers: { 'Content-Type': 'application/json' } }))
      : NONE,
    asked.readsBody
      ? inShort(await asked.ask(agent, { ids, body: 'x', headers: { 'Content-Type': 'text/plain' } }))
      : NONE,
  ];
  const { done, repeat } = await doneAndRepeated(asked, agent, { ids, body });
  return [asked.name, scopes.join(' or '), done, ...refused, repeat, ...ofHeaders];
}

/** Sends a request, its repeat under the same Idempotency-Key and another request under this key; returns all outcomes. */
async function doneAndRepeated(asked: Operation, agent: TestAgent, what: RequestParts) {
  if (!asked.has('Idempotency-Key')) return { done: inShort(await asked.ask(agent, what)), repeat: NONE };
  const headers = { 'Idempotency-Key': 'once' };
  const first = await asked.ask(agent, { ...what, headers });
  const stored = await storedCounts(app);
  const second = await asked.ask(agent, { ...what, headers });
  const shownOnce = (body: object) => ({
    ...body,
    ...('key' in body ? { key: null } : {}),
    ...('admin_key' in body ? { admin_key: { ...(body.admin_key as object), key: null } } : {}),
    ...('webhook_secret' in body ? { webhook_secret: null } : {}),
  });
  expect({ name: asked.name, status: second.status, body: second.body as unknown }).toEqual({
    name: asked.name,
    status: first.status,
    body: Array.isArray(first.body) ? first.body : shownOnce(first.body as object),
  });
  expect(await storedCounts(app)).toEqual(stored);
  const other = await asked.ask(agent, {
    ...what,
    headers,
    body: { ...(what.body as object), another: 'request' },
  });
  expect({ name: asked.name, other: inShort(other) }).toEqual({
    name: asked.name,
    other: '422 idempotency_key_reused',
  });
  return { done: inShort(first), repeat: 'same' };
}

const INTRODUCTION = `# Answers of every operation

\`npm run docs:operations\` writes this page from the service's answers to a request for each cell; a test compares it. Refusals by business rules stand in docs/contract.md.

- **done**: status of an accepted request.
- **400**: every field, or every parameter, has a wrong type.
- **401**: no key is \`not_authenticated\`, an unknown key \`authentication_failed\`.
- **403**: a lesser scope: \`admin\` where \`bootstrap\` is required, \`write\` for \`admin\`, \`read\` for \`write\`, \`ingest\` for \`read\`. **404**: unknown ids in the path.
- **another tenant**: the accepted request with another organization's key.
- **repeat**: the same request under the same Idempotency-Key had the same answer and no effect; another request was 422 \`idempotency_key_reused\`.
- **412**: If-Match with another revision. **413**: 6 MB. **415**: text/plain.

`;

describe('docs/operations.md', () => {
  it('says what every operation of the document answers', async () => {
    const operations = allOperations(document);
    const shared = await newTenant('table');
    const rows: (readonly string[])[] = [];
    for (const [place, operation] of operations.entries()) rows.push(await rowOf(operation, place, shared));
    for (const [name, , done] of rows) {
      expect({ name, done }).toEqual({ name, done: expect.stringMatching(/^(20[01]|)$/) as unknown });
    }
    const written = `${INTRODUCTION}${markdownTable(COLUMNS, rows)}`;
    if (process.env['WRITE_OPERATIONS'] === 'true') writeFileSync(FILE, written);
    expect(readFileSync(FILE, 'utf8')).toBe(written);
  });
});

/** Formats a Markdown table as `npm run format` does. */
function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, index) =>
    Math.max(3, column.length, ...rows.map((row) => row[index]!.length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index]!)).join(' | ')} |\n`;
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('');
}
