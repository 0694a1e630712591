import type { JsonSchema } from './schema.js';

/** Values that examples show, by the name of the parameter or property; `Owner.name` wins over `name`. */
export type Samples = Readonly<Record<string, unknown>>;

type Schemas = Readonly<Record<string, JsonSchema>>;

const REF = '#/components/schemas/';
/** Hexadecimal digits of every id in examples. */
const DIGITS = '5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b';
const UUID = DIGITS.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const TIME = '2026-01-01T00:00:00Z';
/** Base64 of 32 bytes. */
const HASH = 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=';
const BY_FORMAT: Samples = {
  'date-time': TIME,
  date: '2026-01-01',
  uri: 'https://recount.example.com/file',
  uuid: UUID,
};

/** Makes examples from schemas: the value known by name, else one that the schema allows. */
export class SampleMaker {
  constructor(
    private readonly samples: Samples,
    private readonly schemas: Schemas,
  ) {}

  /** Returns the example of a parameter. */
  parameter(operationId: string, name: string, schema: JsonSchema): unknown {
    return this.#named(operationId, name, schema, []);
  }

  /** Returns the example of an answer. @param owner name of the schema */
  answer(schema: JsonSchema, owner: string): unknown {
    return this.#value(schema, owner, owner, []);
  }

  #named(owner: string, name: string, schema: JsonSchema, within: readonly string[]): unknown {
    for (const key of [`${owner}.${name}`, name]) {
      if (key in this.samples && fits(this.samples[key], schema)) return this.samples[key];
    }
    return this.#value(schema, owner, name, within);
  }

  /** @param within named schemas that the value is in: one that holds itself has no example inside itself */
  #value(schema: JsonSchema, owner: string, name: string, within: readonly string[]): unknown {
    const ref = schema['$ref'] as string | undefined;
    if (ref !== undefined) {
      const target = ref.slice(REF.length);
      return within.includes(target)
        ? null
        : this.#value(this.schemas[target]!, target, name, [...within, target]);
    }
    const either = schema['anyOf'] as readonly JsonSchema[] | undefined;
    if (either)
      return this.#value(
        either.find(({ type }) => type !== 'null')!,
        owner,
        name,
        within,
      );
    const choices = schema['enum'] as readonly unknown[] | undefined;
    if (choices) return choices.find((choice) => choice !== null) ?? null;
    const type = [schema['type']].flat().find((one) => one !== 'null');
    if (type === 'array') return [this.#value(schema['items'] as JsonSchema, owner, name, within)];
    if (type === 'object') return this.#object(schema, owner, name, within);
    if (type === 'boolean') return (schema['default'] as boolean | undefined) ?? true;
    if (type === 'integer' || type === 'number') {
      return schema['default'] ?? Math.max(1, (schema['minimum'] as number | undefined) ?? 1);
    }
    return type === 'string' ? textOf(schema) : null;
  }

  #object(schema: JsonSchema, owner: string, name: string, within: readonly string[]): unknown {
    const properties = (schema['properties'] ?? {}) as Schemas;
    const holder = schema === this.schemas[owner] ? owner : name;
    return Object.fromEntries(
      Object.entries(properties).map(([field, of]) => [field, this.#named(holder, field, of, within)]),
    );
  }
}

/** Returns whether a schema allows a value, as far as kind and choices go: one name can have several kinds. */
function fits(value: unknown, schema: JsonSchema): boolean {
  const choices = schema['enum'] as readonly unknown[] | undefined;
  if (choices) return choices.includes(value);
  const either = schema['anyOf'] as readonly JsonSchema[] | undefined;
  if (either) return either.some((one) => fits(value, one));
  const types = [schema['type']].flat();
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value === 'number') return types.includes('number') || types.includes('integer');
  const format = schema['format'] as string | undefined;
  return types.includes('string') && (format !== 'date-time' || /^\d{4}-|^\{/.test(String(value)));
}

function textOf(schema: JsonSchema): string {
  const format = schema['format'] as string | undefined;
  if (format !== undefined && format in BY_FORMAT) return BY_FORMAT[format] as string;
  const pattern = (schema['pattern'] as string | undefined) ?? '';
  const prefix = /^\^([a-z_]+_)\[0-9a-f\]/.exec(pattern)?.[1];
  if (prefix === undefined) return schema['minLength'] === HASH.length ? HASH : 'text';
  return prefix + (pattern.includes('-') && pattern.includes('{8}-') ? UUID : DIGITS);
}

/** Adds an example to every answer in JSON. */
export function addAnswerExamples(
  paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>,
  maker: SampleMaker,
): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const { responses, operationId } of operations) {
    const [, answer] = Object.entries(responses as Schemas).find(([status]) => status.startsWith('2'))!;
    const content = answer['content'] as Record<string, JsonSchema>;
    const json = content['application/json'];
    if (!json) continue;
    const example = maker.answer(json['schema'] as JsonSchema, String(operationId));
    content['application/json'] = { ...json, example };
  }
}
