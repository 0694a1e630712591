import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiDocument, type OpenApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { allOperations, type Operation } from '../support/api-contract/operation.js';
import { bodySchema, resolve, type Ids, type Json } from '../support/api-contract/samples.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { richTenant } from '../support/rich-tenant.js';

let app: TestApp;
let document: OpenApiDocument;
let ids: Ids;

beforeAll(async () => {
  app = await startTestApp();
  document = JSON.parse(JSON.stringify(app.service.app.get(ApiDocument).get()));
  ids = await richTenant(app, 'unknown');
});
afterAll(() => app.stop());

const UNKNOWN = '00000000-0000-4000-8000-000000000001';
const MALFORMED = 'nobody';

const isIdName = (name: string): boolean => /_ids?$|^features$|^replace_with$/.test(name);

/** Fields that are named like an id but need not refer to an existing resource. */
const NO_REFERENCES: ReadonlySet<string> = new Set([
  ...['idempotency_id', 'idempotency_ids', 'usage_event_id', 'external_plan_id', 'external_payment_obj_id'],
  // The kind of a subject is in another parameter; audit-log.spec.ts tests unknown ones.
  ...['payment_provider_id', 'listAuditLog subject_id'],
  ...['createCustomer customer_id', 'trackEvents customer_id', 'listEvents customer_id'],
]);

/** Fields of which a body has exactly one. */
const ALTERNATIVES: Readonly<Record<string, readonly string[]>> = {
  createSubscription: ['plan_id', 'version_id'],
  addSubscription: ['plan_id', 'version_id'],
  attachAddon: ['addon_id', 'addon_version_id'],
  createUsageAlert: ['customer_id', 'plan_id'],
  switchPlan: ['switch_plan_id', 'switch_plan_version_id'],
};

interface Case {
  readonly operation: Operation;
  readonly operationId: string;
  /** Field that is left out because its alternative is sent. */
  readonly without: string | undefined;
}

function casesOf(): Case[] {
  return allOperations(document).flatMap((operation) => {
    const { path, method } = operation.operation;
    const operationId = String(document.paths[path]![method]!['operationId']);
    const each = { operation, operationId };
    if (referencesOf({ ...each, without: undefined }, '').attrs.length === 0) return [];
    return (ALTERNATIVES[operationId] ?? [undefined]).map((without) => ({ ...each, without }));
  });
}

/** Returns a query and a body whose references all have this text, and their dotted paths. */
function referencesOf({ operation, operationId, without }: Case, text: string) {
  const { path, method } = operation.operation;
  const isReference = (name: string): boolean =>
    isIdName(name) &&
    name !== without &&
    !NO_REFERENCES.has(name) &&
    !NO_REFERENCES.has(`${operationId} ${name}`);
  const attrs: string[] = [];
  const written = (schema: Json, name: string, attr: string): unknown => {
    const resolved = resolve(document, schema);
    const first = (resolved['anyOf'] as Json[] | undefined)?.[0];
    if (first) return written(first, name, attr);
    const type = [resolved['type']].flat()[0];
    if (type === 'array') {
      const item = written(resolved['items'] as Json, name, `${attr}.0`);
      return item === undefined ? undefined : [item];
    }
    if (type === 'object' && resolved['properties']) {
      const fields = Object.entries(resolved['properties'] as Record<string, Json>)
        .map(([field, of]) => [field, written(of, field, attr === '' ? field : `${attr}.${field}`)])
        .filter(([, value]) => value !== undefined);
      return fields.length === 0 ? undefined : Object.fromEntries(fields);
    }
    if (!isReference(name)) return undefined;
    attrs.push(attr);
    return text;
  };
  const query = operation.queryNames().filter(isReference);
  const schema = bodySchema(document, { path, method });
  const body = schema && written(schema, '', '');
  return { query, body, attrs: [...new Set([...query, ...attrs])] };
}

/** Merges the references into a body that would be accepted. */
function merged(body: unknown, references: unknown): unknown {
  if (Array.isArray(body) && Array.isArray(references)) return [merged(body[0], references[0])];
  if (typeof body !== 'object' || typeof references !== 'object' || !body || !references) return references;
  const fields = Object.entries(references).map(([name, of]) => [name, merged((body as Json)[name], of)]);
  return { ...body, ...Object.fromEntries(fields) };
}

/** Returns the paths that an operation refuses as unknown. */
async function refused(one: Case, text: string): Promise<string[]> {
  const { query, body } = referencesOf(one, text);
  const { operation } = one;
  const happy = operation.acceptedIds(ids);
  const { [one.without ?? '']: _, ...accepted } = (operation.acceptedBody(happy) ?? {}) as Json;
  const { status, body: answer } = await operation.ask(app.request, {
    ids: happy,
    ...(query.length > 0 && { query: query.map((name) => `${name}=${text}`).join('&') }),
    ...(body !== undefined && { body: merged(accepted, body) }),
  });
  const errors = (answer.validation_errors ?? []) as { attr: string; code: string; detail: string }[];
  return status !== 400
    ? [String(status), JSON.stringify(answer)]
    : errors.filter(({ code }) => code === 'does_not_exist').map(({ attr }) => attr);
}

describe('a request with unknown references', () => {
  it.each([
    ['unknown', UNKNOWN],
    ['malformed', MALFORMED],
  ])('names all of them at once, at every operation: %s ids', async (_, text) => {
    const [found, expected]: [unknown[], unknown[]] = [[], []];
    for (const one of casesOf()) {
      const { operationId, without } = one;
      found.push([operationId, without, (await refused(one, text)).sort()]);
      expected.push([operationId, without, [...referencesOf(one, text).attrs].sort()]);
    }
    expect(expected.length).toBeGreaterThan(25);
    expect(found).toEqual(expected);
  });

  it('names them beside other faults', async () => {
    const { body } = await app.request
      .post('/api/credits/')
      .send({ customer_id: MALFORMED, amount: -1, currency_code: 'XXQ' })
      .expect(400);
    expect(body.validation_errors).toEqual([
      { attr: 'amount', code: 'min_value', detail: expect.any(String) },
      {
        attr: 'currency_code',
        code: 'does_not_exist',
        detail: 'There is no currency with this code of ISO 4217. Check the code.',
      },
      {
        attr: 'customer_id',
        code: 'does_not_exist',
        detail: 'There is no customer with this id. Check the id.',
      },
    ]);
  });

  it('names the faults of the query first, then those of the body', async () => {
    const { body } = await app.request
      .post(`/api/subscriptions/cancel/?customer_id=${MALFORMED}&preview=soon`)
      .send({ plan_id: MALFORMED, usage_behavior: 'bill_some' })
      .expect(400);
    const errors = body.validation_errors as { attr: string; code: string }[];
    expect(errors.map(({ attr, code }) => `${attr} ${code}`)).toEqual([
      'preview invalid',
      'customer_id does_not_exist',
      'plan_id does_not_exist',
      'usage_behavior invalid_choice',
    ]);
  });

  it('names none that exists', async () => {
    const { body } = await app.request
      .post('/api/subscriptions/')
      .send({ customer_id: ids['customer_id'], plan_id: MALFORMED })
      .expect(400);
    expect((body.validation_errors as { attr: string }[]).map(({ attr }) => attr).sort()).toEqual([
      'plan_id',
      'start_date',
    ]);
  });
});
