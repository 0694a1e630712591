import type { OpenApiDocument } from '../../../src/platform/http/openapi/api-document.js';
import { bodiesOf, resolve, type Ids, type Json } from './samples.js';

/** A field of a body with its schema. */
export interface BodyField {
  /** Path as in a refusal: `initial_version.components.0.tiers`. */
  readonly attr: string;
  readonly schema: Json;
}

const inner = (document: OpenApiDocument, schema: Json): Json => {
  const resolved = resolve(document, schema);
  const first = (resolved['anyOf'] as Json[] | undefined)?.[0];
  return first ? inner(document, first) : resolved;
};

export const typeOf = ({ type }: Json): unknown => [type].flat()[0];

/** Returns every field of a body, nested ones included; of lists the first entry. */
export function fieldsOf(document: OpenApiDocument, schema: Json, parent = ''): BodyField[] {
  const resolved = inner(document, schema);
  const own = parent === '' ? [] : [{ attr: parent, schema: resolved }];
  const within = (name: string) => (parent === '' ? name : `${parent}.${name}`);
  if (resolved['items']) return [...own, ...fieldsOf(document, resolved['items'] as Json, within('0'))];
  const properties = Object.entries((resolved['properties'] as Record<string, Json> | undefined) ?? {});
  return [...own, ...properties.flatMap(([name, field]) => fieldsOf(document, field, within(name)))];
}

/** Returns a body with the required fields and one field set to a value. */
export function bodyWith(
  document: OpenApiDocument,
  schema: Json,
  ids: Ids,
  attr: string,
  value: unknown,
): unknown {
  const set = (at: Json, [name, ...rest]: readonly string[]): unknown => {
    if (name === undefined) return value;
    const resolved = inner(document, at);
    if (resolved['items']) return [set(resolved['items'] as Json, rest)];
    const sample = bodiesOf(document, resolved, ids, () => 'text')[0] as object;
    return { ...sample, [name]: set((resolved['properties'] as Record<string, Json>)[name]!, rest) };
  };
  return set(schema, attr.split('.'));
}
