import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import request from 'supertest';
import { ApiDocument, type OpenApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { OPENAPI_SCHEMA } from '../support/api-contract/openapi-schema.js';
import { operationsOf } from '../support/api-contract/document-index.js';
import { startTestApp, type TestApp } from '../support/app.js';

/** An operationId is a verb and what it is done to, as a method is named. */
const METHOD_NAME =
  /^(?:ping|(?:list|get|create|update|delete|add|remove|set|make|archive|erase|rotate|revoke|void|verify|explain|switch|cancel|attach|change|track|replay|retry|advance|check)(?:EInvoice|[A-Z][a-z]+)+)$/;

type Json = { readonly [keyword: string]: unknown };

describe('the API document', () => {
  let app: TestApp;
  let document: OpenApiDocument;

  beforeAll(async () => {
    app = await startTestApp();
    document = (await request(app.url).get('/api/openapi.json').expect(200)).body;
  });
  afterAll(() => app.stop());

  it('describes every route: one without @Operation is named here', () => {
    expect(app.service.app.get(ApiDocument).undescribed()).toEqual([]);
  });

  it('is served without a key, as OpenAPI 3.1', () => {
    expect(document.openapi).toBe('3.1.0');
    const ajv = new Ajv2020({ allErrors: true, strict: false });
    const validate = ajv.compile(OPENAPI_SCHEMA);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
  });

  it('has only schemas that are JSON Schema, and references that lead somewhere', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const at = (reference: string) =>
      reference
        .split('/')
        .slice(1)
        .reduce((found, name) => found[name] as Json, document as Json);
    const references = new Set<string>();
    JSON.stringify(document, (key, value: unknown) => {
      if (key === '$ref') references.add(value as string);
      return value;
    });
    for (const reference of references)
      expect({ reference, leadsTo: at(reference) }).toHaveProperty('leadsTo');
    const schemas = Object.values(document.components['schemas'] as Record<string, Json>);
    for (const schema of schemas) expect(ajv.validateSchema(schema as object)).toBe(true);
  });

  it('names every operation once, as a method is named, and every parameter of a path', () => {
    const ids = new Set<unknown>();
    for (const { path, method } of operationsOf(document)) {
      const operation = document.paths[path]![method]!;
      const id = operation['operationId'] as string;
      expect(id).toMatch(METHOD_NAME);
      expect({ id, isKnown: ids.has(id) }).toEqual({ id, isKnown: false });
      ids.add(id);
      const named = (operation['parameters'] as Json[]).filter(({ in: place }) => place === 'path');
      expect(named.map(({ name }) => `{${String(name)}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    }
  });

  it('has the address it was fetched from, and a described tag for each operation', () => {
    expect(document['servers']).toMatchObject([{ url: app.url }]);
    const tags = (document['tags'] as Json[]).map(({ name }) => name);
    const used = operationsOf(document).flatMap(
      ({ path, method }) => document.paths[path]![method]!['tags'] as string[],
    );
    expect(tags).toEqual([...new Set(tags)]);
    expect([...new Set(used)].sort()).toEqual([...tags].sort());
  });

  it('is shown to people by a page that loads nothing from elsewhere', async () => {
    const agent = request(app.url);
    for (const path of ['/api/docs', '/api/docs/']) {
      const { text, headers } = await agent
        .get(path)
        .expect(200)
        .expect('Content-Type', /text\/html/);
      expect(text).not.toMatch(/(src|href)="(?!\/api\/docs\/)/);
      expect(headers['content-security-policy']).toContain("script-src 'self'");
      for (const [, file] of text.matchAll(/(?:src|href)="([^"]+)"/g)) await agent.get(file!).expect(200);
    }
    await agent.get('/api/docs/package.json').expect(404);
    await agent.get('/api/docs/..%2fpackage.json').expect(404);
  });
});
