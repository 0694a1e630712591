import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { PROJECTIONS } from '../../projections/registry.js';
import { ApiDocument, type OpenApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { READ_MODELS, type ReadModels } from '../../src/platform/eventsourcing/read-models.js';
import { allOperations, type Operation } from '../support/api-contract/operation.js';
import type { Ids } from '../support/api-contract/samples.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase } from '../support/postgres.js';
import { richTenant } from '../support/rich-tenant.js';

const ALL_TABLES = PROJECTIONS.flatMap(({ tables }) => Object.keys(tables));

/** A process of the role `api`, which queries nothing beside the requests. */
let app: TestApp;
let ids: Ids;
let reads: Operation[];
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase('recount_with_read_models');
  drop = database.drop;
  const options = { databaseUrl: database.url, clockStart: '2026-01-20T00:00:00Z' };
  const seller = await startTestApp(options);
  ids = await richTenant(seller, 'read');
  await seller.request.get('/api/subscriptions/').expect(200);
  await seller.stop();
  app = await startTestApp({ ...options, env: { ROLES: 'api' } });
  const document = JSON.parse(JSON.stringify(app.service.app.get(ApiDocument).get())) as OpenApiDocument;
  reads = allOperations(document).filter(
    (asked) => asked.operation.method === 'get' && !asked.isPublic && !asked.isBootstrap,
  );
  // The reads of this key wait for what it wrote.
  await app.request.post('/api/features/').send({ feature_name: 'written' }).expect(201);
});
afterAll(async () => {
  await app.stop();
  await drop();
});

interface Observed {
  /** Tables that the read waited for; undefined for all. */
  readonly awaited: readonly string[] | undefined;
  readonly queried: readonly string[];
}

/** Sends a read and observes its wait, which ends at once, and the tables of its queries. */
async function observe(asked: Operation): Promise<Observed> {
  const readModels = app.service.app.get<ReadModels>(READ_MODELS, { strict: false });
  const waits = jest.spyOn(readModels, 'waitFor').mockResolvedValue(true);
  const queries = jest.spyOn(pg.Client.prototype, 'query');
  try {
    const answer = await asked.ask(app.request, { ids: asked.acceptedIds(ids) });
    expect(`${asked.name} ${answer.status}`).toMatch(/ (200|404|409)$/);
    const texts = queries.mock.calls.map(([sent]) => textOf(sent)).join('\n');
    const [, , awaited] = waits.mock.calls[0]!;
    return { awaited, queried: ALL_TABLES.filter((table) => fromTable(table).test(texts)) };
  } finally {
    waits.mockRestore();
    queries.mockRestore();
  }
}

const textOf = (sent: unknown): string =>
  typeof sent === 'string' ? sent : String((sent as { text?: string }).text);

const fromTable = (table: string): RegExp => new RegExp(`\\b(from|join) "?${table}"?\\b`, 'i');

describe('a read that waits for some read models', () => {
  it('waits for those that it queries, and for no others', async () => {
    const named: string[] = [];
    for (const asked of reads) {
      const { awaited, queried } = await observe(asked);
      if (awaited === undefined) continue;
      named.push(asked.name);
      const { name } = asked;
      expect({ name, tables: [...awaited].sort() }).toEqual({ name, tables: [...queried].sort() });
    }
    expect(named).toContain('get /api/feature_access/');
  });
});
