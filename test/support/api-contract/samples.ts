import type { OpenApiDocument } from '../../../src/platform/http/openapi/api-document.js';

export type Json = { readonly [keyword: string]: unknown };

/** Ids by the name of the field, parameter or path segment. */
export type Ids = Readonly<Record<string, string>>;

/** Names of id lists with the name of their entries' ids. */
export const ID_OF_LIST: Readonly<Record<string, string>> = {
  features: 'feature_id',
  version_ids: 'version_id',
  customer_ids: 'customer_id',
  target_customer_ids: 'customer_id',
};

/** Values of fields for which the engine is stricter than the schema. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  currency_code: 'USD',
  default_currency_code: 'USD',
  amount_paid_currency_code: 'USD',
  country: 'PL',
  timezone: 'Europe/Warsaw',
  webhook_url: 'https://127.0.0.1/hook',
  tiers: [{ type: 'free', range_start: 0 }],
  email: 'somebody@example.com',
  amount: 1,
};

/** Returns the schema of an operation's JSON body; undefined when it reads none. */
export const bodySchema = (
  { paths }: OpenApiDocument,
  { path, method }: { readonly path: string; readonly method: string },
): Json | undefined => {
  const { requestBody } = paths[path]![method] as {
    requestBody?: { content: Record<string, { schema: Json }> };
  };
  return requestBody?.content['application/json']?.schema;
};

/** A time before any test clock. */
const PAST = '2020-01-01T00:00:00Z';

export function resolve(document: OpenApiDocument, schema: Json): Json {
  const ref = schema['$ref'] as string | undefined;
  if (!ref) return schema;
  return ref
    .split('/')
    .slice(1)
    .reduce((found, name) => found[name] as Json, document as Json);
}

/**
 * Returns bodies that the schema allows: one with the required fields only, then one for each field that takes an id.
 * @param text returns free text; texts must differ from each other
 */
export function bodiesOf(document: OpenApiDocument, schema: Json, ids: Ids, text: () => string): unknown[] {
  const variants = (of: Json, name: string): unknown[] => {
    const resolved = resolve(document, of);
    if (ids[name] !== undefined) return [ids[name]];
    if (ID_OF_LIST[name] !== undefined) return [[ids[ID_OF_LIST[name]]]];
    if (name in BY_NAME) return [BY_NAME[name]];
    const first = (resolved['anyOf'] as Json[] | undefined)?.[0];
    if (first) return variants(first, name);
    const type = [resolved['type']].flat()[0];
    if (type === 'object' && resolved['properties']) return ofObject(resolved);
    if (type === 'array') return variants(resolved['items'] as Json, `one of ${name}`).map((item) => [item]);
    return [scalar(resolved, type as string, text)];
  };
  const ofObject = (of: Json): unknown[] => {
    const properties = Object.entries(of['properties'] as Record<string, Json>);
    const required = new Set((of['required'] as string[] | undefined) ?? []);
    const skeleton = Object.fromEntries(
      properties
        .filter(([name]) => required.has(name))
        .map(([name, field]) => [name, variants(field, name)[0]]),
    );
    const others = properties.flatMap(([name, field]) => {
      if (!holdsIds(document, field, name, ids)) return [];
      const values = variants(field, name);
      return (required.has(name) ? values.slice(1) : values).map((value) => ({ ...skeleton, [name]: value }));
    });
    return [skeleton, ...others];
  };
  return variants(schema, '');
}

function holdsIds(document: OpenApiDocument, schema: Json, name: string, ids: Ids): boolean {
  if (ids[name] !== undefined || ID_OF_LIST[name] !== undefined) return true;
  const resolved = resolve(document, schema);
  if (resolved['items']) return holdsIds(document, resolved['items'] as Json, `one of ${name}`, ids);
  return Object.entries((resolved['properties'] as Record<string, Json> | undefined) ?? {}).some(
    ([field, of]) => holdsIds(document, of, field, ids),
  );
}

function scalar(schema: Json, type: string, text: () => string): unknown {
  const choices = schema['enum'] as unknown[] | undefined;
  if (choices) return choices[0];
  if (schema['format'] === 'date-time') return PAST;
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return (schema['minimum'] as number | undefined) ?? 1;
  if (type === 'object') return {};
  return text();
}

/** Fills in the parameters of a path. @throws Error for a parameter without an id */
export const filledPath = (path: string, ids: Ids): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`say in the test's table what {${name}} of ${path} may be`);
    return encodeURIComponent(id);
  });
