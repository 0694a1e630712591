import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiDocument, type OpenApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { RESOURCES, type FieldRule } from './contract/fields.js';
import { OPERATIONS, type ParamRule } from './contract/operations.js';

type Json = Readonly<Record<string, unknown>>;

let app: TestApp;
let document: OpenApiDocument;

beforeAll(async () => {
  app = await startTestApp();
  document = JSON.parse(JSON.stringify(app.service.app.get(ApiDocument).get())) as OpenApiDocument;
});
afterAll(() => app.stop());

const REF = '#/components/schemas/';
const schemaNamed = (name: string): Json => (document.components['schemas'] as Record<string, Json>)[name]!;
const resolved = (schema: Json): Json => {
  const ref = schema['$ref'] as string | undefined;
  return ref ? schemaNamed(ref.slice(REF.length)) : schema;
};

/** Converts a schema to the notation of the tables of the contract. */
function inWords(schema: Json): FieldRule {
  const parts = (schema['anyOf'] as Json[] | undefined) ?? [schema];
  const types = parts.flatMap((part) => [part['type'] ?? typeOf(part)].flat() as string[]);
  const isList = types[0] === 'array';
  const keywords = isList ? (schema['items'] as Json) : Object.assign({}, ...parts, schema);
  const only = types.length === 1 && types[0] === 'null';
  const words = {
    type: isList
      ? `[${typeOf(schema['items'] as Json)}]`
      : only
        ? 'null'
        : types.filter((t) => t !== 'null').join('|'),
    nullable: !only && types.includes('null') ? true : undefined,
    format: keywords['format'],
    enum: (keywords['enum'] as unknown[] | undefined)?.filter((choice) => choice !== null),
    from: keywords['minimum'],
    above: keywords['exclusiveMinimum'],
    below: keywords['exclusiveMaximum'],
    to: keywords['maximum'],
    maxLength: keywords['maxLength'],
    pattern: keywords['pattern'],
    deprecated: schema['deprecated'],
  };
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined)) as never;
}

const typeOf = (schema: Json): string =>
  (schema['$ref'] as string | undefined)?.slice(REF.length) ?? String(schema['type']);

/** Leaves out bounds and patterns that the service has in addition to docs/contract.md#limits. */
function asAsked(rule: FieldRule, found: FieldRule): FieldRule {
  const asked = Object.fromEntries(
    Object.entries(found).filter(
      ([key]) => key in rule || ['type', 'nullable', 'enum', 'deprecated', 'maxLength'].includes(key),
    ),
  ) as Partial<FieldRule>;
  return { ...asked, ...(asked.enum ? { enum: [...asked.enum].sort() } : {}) } as FieldRule;
}
const sorted = (rule: FieldRule): FieldRule => ({
  ...rule,
  ...(rule.enum ? { enum: [...rule.enum].sort() } : {}),
});

describe('the resources of the contract (docs/contract.md#resources)', () => {
  it.each(Object.keys(RESOURCES))(
    '%s has each field with its type, nullability, choices and bounds',
    (name) => {
      const schema = schemaNamed(name);
      const rules = RESOURCES[name]!;
      const properties = schema['properties'] as Record<string, Json>;
      expect(Object.keys(properties).sort()).toEqual(Object.keys(rules).sort());
      expect([...(schema['required'] as string[])].sort()).toEqual(Object.keys(rules).sort());
      const found = Object.entries(rules).map(([field, rule]) => [
        field,
        asAsked(rule, inWords(properties[field]!)),
      ]);
      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries(Object.entries(rules).map(([field, rule]) => [field, sorted(rule)])),
      );
    },
  );
});

describe('the operations of the contract (docs/contract.md#operations)', () => {
  const of = (operation: string): Json => {
    const [method, path] = operation.split(' ') as [string, string];
    return document.paths[path]?.[method] as Json;
  };

  it.each(OPERATIONS.map(({ operation }) => operation))('%s is there', (operation) => {
    expect(of(operation)).toBeDefined();
  });

  it.each(OPERATIONS)('$operation answers $answer under 200', ({ operation, answer }) => {
    const responses = of(operation)['responses'] as Record<
      string,
      { content: Record<string, { schema: Json }> }
    >;
    const { schema: whole } = responses['200']!.content['application/json']!;
    // The answer to `?preview=true` is the other part of `anyOf`.
    const schema = (whole['anyOf'] as Json[] | undefined)?.[0] ?? whole;
    const name = schema['type'] === 'array' ? `[${typeOf(schema['items'] as Json)}]` : typeOf(schema);
    expect(name).toBe(answer);
  });

  it.each(OPERATIONS.filter(({ query }) => query))(
    '$operation takes its parameters',
    ({ operation, query }) => {
      const parameters = of(operation)['parameters'] as Json[];
      for (const [name, rule] of Object.entries(query!)) {
        const parameter = parameters.find((sent) => sent['name'] === name && sent['in'] === 'query');
        const content = parameter?.['content'] as Record<string, { schema: Json }> | undefined;
        const schema = content ? content['application/json']!.schema : (parameter?.['schema'] as Json);
        expect({ name, ...ofParameter(rule, schema, parameter?.['required'] === true) }).toEqual({
          name,
          ...ordered(rule),
        });
      }
    },
  );

  it.each(OPERATIONS.filter(({ body }) => body))(
    '$operation takes its body as JSON and as a form',
    ({ operation, body }) => {
      const { content } = of(operation)['requestBody'] as { content: Record<string, { schema: Json }> };
      expect(Object.keys(content)).toEqual([
        'application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
      ]);
      const schema = resolved(content['application/json']!.schema);
      const required = (schema['required'] as string[] | undefined) ?? [];
      const properties = schema['properties'] as Record<string, Json>;
      for (const [name, rule] of Object.entries(body!)) {
        expect({ name, ...ofParameter(rule, properties[name], required.includes(name)) }).toEqual({
          name,
          ...ordered(rule),
        });
      }
    },
  );
});

/** Converts a parameter or field to the notation of the table. Leaves out null where null has the effect of no value. */
function ofParameter(rule: ParamRule, schema: Json | undefined, required: boolean): object {
  if (!schema) return { missing: true };
  const types = [schema['type']].flat() as string[];
  const isList = types[0] === 'array';
  const choices = (isList ? (schema['items'] as Json) : schema)['enum'] as unknown[] | undefined;
  return {
    type: types[0],
    ...(choices ? { enum: choices.filter((choice) => choice !== null).sort() } : {}),
    ...(rule.format ? { format: schema['format'] } : {}),
    ...(rule.minLength ? { minLength: schema['minLength'] } : {}),
    ...(rule.nullable ? { nullable: types.includes('null') } : {}),
    ...(required ? { required } : {}),
  };
}

const ordered = (rule: ParamRule): ParamRule => ({
  ...rule,
  ...(rule.enum ? { enum: [...rule.enum].sort() } : {}),
});
