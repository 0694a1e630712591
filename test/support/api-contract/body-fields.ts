import type { OpenApiDocument } from '../../../src/platform/http/openapi/api-document.js';
import { bodiesOf, resolve, type Ids, type Json } from './samples.js';

/** A place in a body, with what the document says of it. */
export interface BodyField {
  /** As a refusal names it: `initial_version.components.0.tiers`. */
  readonly attr: string;
  readonly schema: Json;
}

const inner = (document: OpenApiDocument, schema: Json): Json => {
  const resolved = resolve(document, schema);
  const first = (resolved['anyOf'] as Json[] | undefined)?.[0];
  return first ? inner(document, first) : resolved;
};

export const typeOf = ({ type }: Json): unknown => [type].flat()[0];

/** Every field of a body, those within others too; of lists the first entry. */
export function fieldsOf(document: OpenApiDocument, schema: Json, parent = ''): BodyField[] {
  const of = inner(document, schema);
  const own = parent === '' ? [] : [{ attr: parent, schema: of }];
  const within = (name: string) => (parent === '' ? name : `${parent}.${name}`);
  if (of['items']) return [...own, ...fieldsOf(document, of['items'] as Json, within('0'))];
  const properties = Object.entries((of['properties'] as Record<string, Json> | undefined) ?? {});
  return [...own, ...properties.flatMap(([name, field]) => fieldsOf(document, field, within(name)))];
}

/** A body that has only what is required, and this value in this place. */
export function bodyWith(
  document: OpenApiDocument,
  schema: Json,
  ids: Ids,
  attr: string,
  value: unknown,
): unknown {
  const set = (at: Json, [name, ...rest]: readonly string[]): unknown => {
    if (name === undefined) return value;
    const of = inner(document, at);
    if (of['items']) return [set(of['items'] as Json, rest)];
    const sample = bodiesOf(document, of, ids, () => 'text')[0] as object;
    return { ...sample, [name]: set((of['properties'] as Record<string, Json>)[name]!, rest) };
  };
  return set(schema, attr.split('.'));
}
