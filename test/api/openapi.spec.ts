import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import request from 'supertest';
import { ModulesContainer } from '@nestjs/core';
import { FIELD_DESCRIPTIONS } from '../../src/api-document/field-descriptions.js';
import { RECORD_DESCRIPTIONS } from '../../src/api-document/record-descriptions.js';
import { SERVICE_DESCRIPTIONS } from '../../src/api-document/service-descriptions.js';
import { EtagLocators } from '../../src/platform/http/etag/etags.js';
import { findRoutes } from '../../src/platform/http/openapi/find-routes.js';
import type { InvalidRequest } from '../../src/platform/http/problems/problem.js';
import { BodyValidationPipe } from '../../src/platform/http/validation/body-validation.pipe.js';
import { saysWhatToDo } from '../support/api-contract/advice.js';
import { fieldsOf } from '../support/api-contract/body-fields.js';
import { ApiDocument, type OpenApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { OPENAPI_SCHEMA } from '../support/api-contract/openapi-schema.js';
import { operationsOf } from '../support/api-contract/document-index.js';
import { startTestApp, type TestApp } from '../support/app.js';

/** An operationId is a verb and its object, like the name of a method. */
const METHOD_NAME =
  /^(?:ping|(?:list|get|create|update|delete|add|remove|set|make|archive|erase|rotate|revoke|void|verify|explain|switch|cancel|attach|change|track|replay|retry|advance|check)(?:EInvoice|[A-Z][a-z]+)+)$/;

type Json = { readonly [keyword: string]: unknown };

/** Values of each kind. Each constraint of a field refuses at least one of them. */
const WRONG_VALUES: readonly unknown[] = [
  ...[null, '', ' ', 'x', 'x'.repeat(70_000), 7, -1e308, 1e308, 0.5, true],
  ...[
    [],
    ['x', 'x'],
    [''],
    ['x'.repeat(70_000)],
    [7],
    new Array(10_001).fill('x'),
    new Array(2_000).fill({}),
  ],
  ...[{}, { text: 'x'.repeat(70_000) }, JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)],
];

/** Returns a body with a value at one path and no other fields. */
const bodyOf = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((within, name) => (name === '0' ? [within] : { [name]: within }), value);

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

  it('has no body of which a refusal leaves open what to send', () => {
    const pipe = new BodyValidationPipe();
    const routes = findRoutes(app.service.app.get(ModulesContainer), app.service.app.get(EtagLocators));
    const bodies = [...new Set(routes.map(({ spec }) => spec?.body))].filter(
      (body) => typeof body === 'function',
    );
    const found = bodies.flatMap((metatype) =>
      fieldsOf(document, { $ref: `#/components/schemas/${metatype.name}` }).flatMap(({ attr }) =>
        WRONG_VALUES.flatMap((value) => {
          try {
            pipe.transform(bodyOf(attr.split('.'), value), { type: 'body', metatype });
            return [];
          } catch (error) {
            return (error as InvalidRequest).fields.map(
              ({ detail }) => `${metatype.name}.${attr}: ${detail}`,
            );
          }
        }),
      ),
    );
    const details = [...new Set(found)];
    expect(details.length).toBeGreaterThan(700);
    expect(details.filter((text) => !saysWhatToDo(text.slice(text.indexOf(': ') + 2)))).toEqual([]);
  });

  it('describes no name in two files, of which one would win unseen', () => {
    const names = [FIELD_DESCRIPTIONS, RECORD_DESCRIPTIONS, SERVICE_DESCRIPTIONS].flatMap(Object.keys);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('describes a field by its meaning in its object', () => {
    const described = (owner: string, field: string): string => {
      const { properties } = (document.components['schemas'] as Record<string, Json>)[owner]!;
      return String((properties as Record<string, Json>)[field]!['description']);
    };
    expect(described('Metric', 'event_type')).toMatch(/gauge/);
    expect(described('CreateMetricBody', 'event_type')).toMatch(/gauge/);
    expect(described('AuditLogEntry', 'event_type')).toMatch(/SettingsChanged/);
    for (const owner of ['Organization', 'ChangeSettingsBody']) {
      expect(described(owner, 'address')).toMatch(/^Your address/);
      expect(described(owner, 'email')).toMatch(/^Your e-mail/);
      expect(described(owner, 'phone')).toMatch(/^Your telephone/);
      expect(described(owner, 'timezone')).toMatch(/customers without a zone of their own/);
      expect(described(owner, 'tax_rate')).toMatch(/customers without a rate of their own.*null: no tax/);
    }
    expect(described('Seller', 'address')).toMatch(/^Your address/);
    expect(described('Customer', 'address')).toMatch(/^Billing address/);
    expect(described('NumericFilter', 'property_name')).not.toMatch(/null/);
    expect(described('CountedEvent', 'time_created')).toBe('When it happened.');
    expect(described('UpdateByFilterBody', 'customer_id')).toBe('Your own id of the customer.');
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
