import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import request from 'supertest';
import { API } from '../../src/api-document/info.js';
import { ApiDocument, type OpenApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { allOperations } from '../support/api-contract/operation.js';
import { operationsOf } from '../support/api-contract/document-index.js';
import { AnswerCheck } from '../support/api-contract/answer-check.js';
import { ID_OF_LIST, resolve, type Ids } from '../support/api-contract/samples.js';
import { BOOTSTRAP_KEY, startTestApp, type TestApp } from '../support/app.js';
import { richTenant } from '../support/rich-tenant.js';

type Json = { readonly [key: string]: unknown };

let app: TestApp;
let ids: Ids;
let document: OpenApiDocument;

beforeAll(async () => {
  app = await startTestApp();
  ids = await richTenant(app, 'example');
  document = JSON.parse(JSON.stringify(app.service.app.get(ApiDocument).get()));
});
afterAll(() => app.stop());

const detailsOf = ({ path, method }: { path: string; method: string }): Json =>
  document.paths[path]![method]!;
const exampleOf = (details: Json): unknown =>
  ((details['requestBody'] as Json | undefined)?.['content'] as Record<string, Json> | undefined)?.[
    'application/json'
  ]?.['example'];

/** Replaces the ids of an example by existing ones, and `{{now}}` by the time of the service. */
function withIds(value: unknown, known: Ids, name = ''): unknown {
  if (value === '{{now}}') return '2026-01-01T00:00:00Z';
  if (Array.isArray(value)) return value.map((item) => withIds(item, known, ID_OF_LIST[name] ?? name));
  if (typeof value !== 'object' || value === null) return known[name] ?? value;
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, withIds(of, known, key)]));
}

/** Operations on resources that earlier ones create or change, in this order. All other operations come first. */
const LAST = [
  'createSubscription',
  'switchPlan',
  'addSubscription',
  'updateSubscriptions',
  'cancelAddon',
  'voidInvoice',
  'updateInvoice',
  'cancelSubscription',
  'cancelSubscriptions',
  'advanceTestClock',
];
/** Creations that refer to no other resource, so that their examples are accepted in an empty organization. */
const AS_THEY_ARE = [
  'createCustomer',
  'createMetric',
  'createFeature',
  'createPlan',
  'createAddon',
  'createApiKey',
  'createWebhook',
  'createOrganization',
  'trackEvents',
];

/** Collects every parameter, property and enumeration below a part of the document, with its location. */
function partsOf(value: unknown, place: string, found: Map<string, Json>): void {
  if (typeof value !== 'object' || value === null) return;
  const part = value as Json;
  if (typeof part['name'] === 'string' && typeof part['in'] === 'string') found.set(place, part);
  const properties = part['properties'];
  if (part['type'] === 'object' && properties) {
    for (const [name, of] of Object.entries(properties)) found.set(`${place}.${name}`, of as Json);
  }
  if (Array.isArray(part['enum'])) found.set(`${place} enum`, { description: 'its values', ...part });
  for (const [key, of] of Object.entries(part)) {
    if (key !== 'example' && key !== 'enum') partsOf(of, `${place}/${key}`, found);
  }
}

/** Returns whether the description of a schema mentions a value. */
const isSaid = ({ description = '' }: Json, value: unknown): boolean =>
  String(description).includes(`\`${String(value)}\``);

describe('the descriptions', () => {
  it('are there for every operation, beside the scope of its key', () => {
    const without = operationsOf(document)
      .map(detailsOf)
      .filter(({ description = '' }) => /^(?:This operation requires[^\n]*)?$/.test(String(description)))
      .map((details) => details['operationId']);
    expect(without).toEqual([]);
  });

  it('are there for every parameter, property and enum value', () => {
    const found = new Map<string, Json>();
    partsOf(document.paths, '', found);
    partsOf(document.components['schemas'], '', found);
    expect(found.size).toBeGreaterThan(900);
    const wanting = [...found].flatMap(([place, part]) => {
      const values = (part['enum'] as unknown[] | undefined) ?? [];
      const explained = (part['x-enumDescriptions'] ?? {}) as Json;
      return [
        ...(part['description'] ? [] : [place]),
        ...values
          .filter((value) => value !== null && !explained[String(value)] && !isSaid(part, value))
          .map((v) => `${place} ${String(v)}`),
      ];
    });
    expect(wanting).toEqual([]);
  });

  it('say what a property is, not what to send instead', () => {
    const found = new Map<string, Json>();
    partsOf(document.paths, '', found);
    partsOf(document.components['schemas'], '', found);
    const orders = [...found].filter(([, { description }]) => /^Give\b/.test(String(description)));
    expect(orders.map(([place]) => place)).toEqual([]);
  });

  it('begin with a noun or a verb, summaries with a verb', () => {
    const spoken = [...JSON.stringify(document).matchAll(/"(?:summary|description)":"((?:[^"\\]|\\.)*)"/g)];
    expect(spoken.length).toBeGreaterThan(900);
    expect(spoken.map(([, words]) => words).filter((words) => /^(What|Of|Those|Who)\b/.test(words!))).toEqual(
      [],
    );
    const summaries = operationsOf(document).map((operation) => String(detailsOf(operation)['summary']));
    const nouns = /^(Subscriptions|Plans|Terms|Events|Invoices|Credits|Settings|This)\b/;
    expect(summaries.filter((words) => !/^[A-Z][a-z]+s /.test(words) || nouns.test(words))).toEqual([]);
  });

  it('are all of something that the document has', () => {
    const text = JSON.stringify(document);
    const { fields, choices, operations, examples } = API.vocabulary;
    const texts = [fields, operations, ...Object.values(choices)].flatMap((words) => Object.values(words));
    expect(texts.filter((words) => !text.includes(JSON.stringify(words).slice(1, -1)))).toEqual([]);
    const ids = operationsOf(document).map((operation) => detailsOf(operation)['operationId']);
    expect([...Object.keys(operations), ...Object.keys(examples)].filter((id) => !ids.includes(id))).toEqual(
      [],
    );
  });
});

/** Parameters whose values come from answers or links. */
const FROM_ANSWERS: ReadonlySet<string> = new Set(['cursor', 'signature', 'expires']);
/** Reads whose examples refer to nothing stored: a proof, and a link with a signature. */
const NOT_SENT: ReadonlySet<string> = new Set(['getInclusionProof', 'getConsistencyProof', 'getInvoicePdf']);

/** Parameters that are only accepted together with another one. */
const BESIDE: Readonly<Record<string, string>> = { 'listAuditLog subject_id': 'subject_kind=subscription' };

interface Sample {
  readonly name: string;
  readonly of: Json;
  readonly value: unknown;
}

/** Returns the parameters of an operation with their examples. References are resolved. */
const samplesOf = (details: Json): Sample[] =>
  (details['parameters'] as Json[]).map((parameter) => {
    const of = resolve(document, parameter);
    const { examples } = of['schema'] as { examples?: unknown[] };
    return { name: String(of['name']), of, value: of['example'] ?? examples?.[0] };
  });

describe('the example of a parameter', () => {
  it('is there for every one, and is what its schema allows', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const wrong = operationsOf(document).flatMap(({ path, method }) =>
      samplesOf(detailsOf({ path, method })).filter(
        ({ of, value }) =>
          value !== '{{now}}' && (value === undefined || !ajv.validate(of['schema'] as object, value)),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('is accepted by every read', async () => {
    const refused: unknown[] = [];
    for (const operation of allOperations(document)) {
      const details = detailsOf(operation.operation);
      const id = String(details['operationId']);
      if (operation.operation.method !== 'get' || operation.isBootstrap || NOT_SENT.has(id)) continue;
      for (const { name, of, value } of samplesOf(details)) {
        if (of['in'] !== 'query' || FROM_ANSWERS.has(name)) continue;
        const known = ids[name === 'subject_id' ? 'subscription_id' : name];
        const sent = known ?? (value === '{{now}}' ? '2026-01-01T00:00:00Z' : String(value));
        const query = [operation.requiredQuery(ids), BESIDE[`${id} ${name}`] ?? ''];
        query.push(`${name}=${encodeURIComponent(sent)}`);
        const asked = query[0]!.includes(`${name}=`) ? query[0]! : query.filter(Boolean).join('&');
        const { status, body } = await operation.ask(app.request, { ids, query: asked });
        if (status >= 400) refused.push([id, asked, status, body.detail ?? body]);
      }
    }
    expect(refused).toEqual([]);
  });
});

describe('the example of an answer', () => {
  it('is there for every answer in JSON, and is what the document allows', () => {
    const check = new AnswerCheck(document, []);
    const headers = Object.fromEntries(
      Object.keys(document.components['headers'] as Json).map((name) => [name.toLowerCase(), 'x']),
    );
    const faults = operationsOf(document).flatMap(({ path, method }) => {
      const responses = detailsOf({ path, method })['responses'] as Record<string, Json>;
      const [status, answer] = Object.entries(responses).find(([key]) => key.startsWith('2'))!;
      const json = (answer['content'] as Record<string, Json>)['application/json'];
      if (!json) return [];
      if (json['example'] === undefined) return [`${method} ${path} has none`];
      const answered = {
        method,
        url: path,
        status: Number(status),
        body: JSON.stringify(json['example']),
        headers: { ...headers, 'content-type': 'application/json' },
      };
      return check.faultsOf(answered).map((fault) => `${method} ${path}: ${fault}`);
    });
    expect(faults).toEqual([]);
  });

  it('leaves the document at a size that tools read', () => {
    expect([JSON.stringify(document).length].filter((n) => n > 1_000_000)).toEqual([]);
  });
});

describe('the example of a body', () => {
  it('is there for every operation that takes one', () => {
    const without = operationsOf(document)
      .map(detailsOf)
      .filter((details) => details['requestBody'] && exampleOf(details) === undefined)
      .map((details) => details['operationId']);
    expect(without).toEqual([]);
  });

  it('is accepted: "try it out" begins with it', async () => {
    const instead: Readonly<Record<string, Ids>> = {
      addTargetCustomers: { version_id: ids['custom_version_id']! },
      removeTargetCustomers: {
        version_id: ids['custom_version_id']!,
        customer_id: ids['other_customer_id']!,
      },
      attachAddon: { addon_id: ids['spare_addon_id']! },
      createPlanVersion: { plan_id: ids['plan_id']!, metric_id: ids['spare_metric_id']! },
      createSubscription: { customer_id: ids['other_customer_id']! },
      addSubscription: { customer_id: ids['other_customer_id']! },
      updateSubscriptions: { plan_id: ids['switch_plan_id']!, customer_id: ids['other_customer_id']! },
      cancelSubscriptions: { plan_id: ids['switch_plan_id']!, customer_id: ids['other_customer_id']! },
    };
    const operations = allOperations(document)
      .map((operation) => ({ operation, details: detailsOf(operation.operation) }))
      .filter(({ details }) => exampleOf(details) !== undefined)
      .sort(
        (a, b) =>
          LAST.indexOf(String(a.details['operationId'])) - LAST.indexOf(String(b.details['operationId'])),
      );
    let created = '';
    for (const { operation, details } of operations) {
      const id = String(details['operationId']);
      const own: Ids = { ...ids, ...instead[id] };
      if (id === 'updateInvoice' || id === 'voidInvoice') {
        const { body } = await app.request.get('/api/invoices/?status=unpaid&limit=1').expect(200);
        Object.assign(own, { invoice_id: body[0].invoice_id });
      }
      if (id === 'switchPlan') Object.assign(own, { subscription_id: created });
      const body = withIds(exampleOf(details), AS_THEY_ARE.includes(id) ? {} : own) as object;
      const agent = operation.isBootstrap
        ? request.agent(app.url).set('X-API-KEY', BOOTSTRAP_KEY)
        : app.request;
      const { status, body: answer } = await operation.ask(agent, { ids: own, body });
      if (id === 'createSubscription') created = answer.subscription_id;
      const done = Object.keys(details['responses'] as Json).find((key) => key.startsWith('2'));
      expect({ id, status, answer: status < 300 || answer }).toEqual({
        id,
        status: Number(done),
        answer: true,
      });
    }
  });
});
