import type { StreamableFile } from '@nestjs/common';
import type { OneTimeSecret } from '../idempotency/idempotency-keys.js';

/** JSON Schema of the 2020-12 dialect, which is that of OpenAPI 3.1. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Named schemas of a document, collected while it is written, each with its source. */
export type Components = Map<string, { readonly of: object; readonly schema: JsonSchema }>;

/** Schema of an answer. A presenter returns `WireOf` it, so that code and document agree. */
export interface Schema<Value> {
  write(components: Components): JsonSchema;
  /** Phantom type for the compiler; never set. */
  readonly shows?: Value;
}

/** TypeScript type of a schema: `WireOf<typeof THING>`. */
export type WireOf<S> = S extends Schema<infer Value> ? Value : never;

type Fields = Readonly<Record<string, Schema<unknown>>>;

const plain = <Value>(schema: JsonSchema): Schema<Value> => ({ write: () => schema });

export const text = (keywords: JsonSchema = {}): Schema<string> => plain({ type: 'string', ...keywords });
export const number = (keywords: JsonSchema = {}): Schema<number> => plain({ type: 'number', ...keywords });
export const integer = (keywords: JsonSchema = {}): Schema<number> => plain({ type: 'integer', ...keywords });
export const flag = (): Schema<boolean> => plain({ type: 'boolean' });
/** Object with any keys and values. */
export const freeForm = (): Schema<Readonly<Record<string, unknown>>> =>
  plain({ type: 'object', additionalProperties: true });
export const anything = (): Schema<unknown> => plain({});
/** Field that is always null. */
export const nothing = (): Schema<null> => plain({ type: 'null' });
/** Text that only the first answer contains. */
export const secret = (): Schema<OneTimeSecret> => plain({ type: 'string' });

/** Bytes. */
export const file = (): Schema<StreamableFile> => plain({ type: 'string', format: 'binary' });

export const oneOf = <const Choice extends string>(choices: readonly Choice[]): Schema<Choice> =>
  plain({ type: 'string', enum: choices });

export const listOf = <Item>(item: Schema<Item>, keywords: JsonSchema = {}): Schema<readonly Item[]> => ({
  write: (components) => ({ type: 'array', items: item.write(components), ...keywords }),
});

export const mapOf = <Value>(value: Schema<Value>): Schema<Readonly<Record<string, Value>>> => ({
  write: (components) => ({ type: 'object', additionalProperties: value.write(components) }),
});

/** Object whose fields are always present. */
export const object = <F extends Fields>(
  fields: F,
): Schema<{ readonly [Name in keyof F]: WireOf<F[Name]> }> => ({
  write: (components) => ({
    type: 'object',
    required: Object.keys(fields),
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, field.write(components)]),
    ),
  }),
});

export const either = <A, B>(a: Schema<A>, b: Schema<B>): Schema<A | B> => ({
  write: (components) => ({ anyOf: [a.write(components), b.write(components)] }),
});

export const nullable = <Value>(schema: Schema<Value>): Schema<Value | null> => ({
  write: (components) => withNull(schema.write(components)),
});

/** Adds keywords to a schema: `description`, `deprecated`, a tighter bound. */
export const noted = <Value>(schema: Schema<Value>, keywords: JsonSchema): Schema<Value> => ({
  write: (components) => ({ ...schema.write(components), ...keywords }),
});

/** Schema with a name in the document. */
export const named = <Value>(name: string, schema: Schema<Value>): Schema<Value> => ({
  write: (components) => writeNamed(components, name, schema, () => schema.write(components)),
});

/** Reference to a schema of a module that the order of modules forbids to import. */
export const reference = <Value>(name: string): Schema<Value> => ({
  write: () => ({ $ref: `#/components/schemas/${name}` }),
});

/** Writes a named schema once and returns a reference to it. @throws Error if another schema has the name */
export function writeNamed(
  components: Components,
  name: string,
  of: object,
  write: () => JsonSchema,
): JsonSchema {
  const known = components.get(name);
  if (known && known.of !== of) throw new Error(`two schemas have the name ${name}`);
  if (!known) {
    components.set(name, { of, schema: {} });
    components.set(name, { of, schema: write() });
  }
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns a schema that allows null too. */
export function withNull(schema: JsonSchema): JsonSchema {
  const { type, enum: choices } = schema;
  if (typeof type !== 'string') {
    return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
  }
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(choices) ? { enum: [...(choices as unknown[]), null] } : {}),
  };
}
