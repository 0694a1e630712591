import fc from 'fast-check';
import type { OpenApiDocument } from '../../../src/platform/http/openapi/api-document.js';
import type { DocumentedOperation } from './document-index.js';
import { HOSTILE_TEXTS, HOSTILE_TIMES, HOSTILE_VALUES, jsonText } from './hostile-values.js';
import { bodySchema, ID_OF_LIST, resolve, type Ids, type Json } from './samples.js';

/** A request with the text of its body. */
export interface GeneratedRequest {
  readonly path: string;
  readonly type: string;
  readonly body: string | undefined;
}

/** Fields that never get a valid value: moving the clock far ahead is valid, but takes long. */
const NEVER_VALID = new Set(['to']);

/** Valid values per hostile one. With more hostile values no body passes validation. */
const VALID_PER_HOSTILE = 30;

/** Valid tiers. Random ones almost never fit together. */
const TIERS = [
  [{ type: 'free', range_start: 0 }],
  [
    { type: 'flat', range_start: 0, range_end: 9, cost_per_batch: 3 },
    { type: 'per_unit', range_start: 9, cost_per_batch: 1e-9, metric_units_per_batch: 9999999999 },
  ],
  [{ type: 'per_unit', range_start: 0, cost_per_batch: 9999999999, metric_units_per_batch: 1e-10 }],
];

const hostile = fc.constantFrom(...HOSTILE_VALUES);
const hostileText = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary', maxLength: 40 }));
const mostlyValid = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: VALID_PER_HOSTILE, arbitrary: valid }, { weight: 1, arbitrary: hostile });

/** Generates bodies that mostly match a schema. */
function similarTo(document: OpenApiDocument, schema: Json, name: string, ids: Ids): fc.Arbitrary<unknown> {
  const resolved = resolve(document, schema);
  const list = ID_OF_LIST[name];
  if (NEVER_VALID.has(name)) return hostile;
  if (name === 'tiers') return mostlyValid(fc.constantFrom(...TIERS));
  if (ids[name] !== undefined) return mostlyValid(fc.constant(ids[name]));
  if (list !== undefined) return mostlyValid(fc.array(fc.constant(ids[list]), { maxLength: 2 }));
  if (resolved['anyOf']) {
    return fc.oneof(...(resolved['anyOf'] as Json[]).map((one) => similarTo(document, one, name, ids)));
  }
  const type = [resolved['type']].flat()[0];
  if (type === 'object' && resolved['properties']) return mostlyValid(similarObject(document, resolved, ids));
  if (type === 'array') {
    return mostlyValid(
      fc.array(similarTo(document, resolved['items'] as Json, `one of ${name}`, ids), { maxLength: 3 }),
    );
  }
  return mostlyValid(scalar(resolved, type as string, name));
}

function similarObject(document: OpenApiDocument, resolved: Json, ids: Ids): fc.Arbitrary<unknown> {
  const fields = Object.entries(resolved['properties'] as Record<string, Json>).map(
    ([name, field]) => [name, similarTo(document, field, name, ids)] as const,
  );
  const required = (resolved['required'] as string[] | undefined) ?? [];
  const record = fc.record(Object.fromEntries(fields), { requiredKeys: required });
  return fc
    .tuple(record, fc.option(fc.constantFrom(...required, '__proto__', 'constructor'), { freq: 15 }), hostile)
    .map(([body, name, value]) =>
      name === null
        ? body
        : Object.fromEntries([...Object.entries(body as object), [name, value] as [string, unknown]]),
    );
}

function scalar(resolved: Json, type: string, name: string): fc.Arbitrary<unknown> {
  const choices = resolved['enum'] as unknown[] | undefined;
  if (choices) return fc.constantFrom(...choices);
  if (name.endsWith('currency_code')) return fc.constantFrom('USD', 'EUR', 'JPY', 'BHD');
  if (name === 'timezone') return fc.constantFrom('Europe/Warsaw', 'Pacific/Apia', 'UTC');
  if (resolved['format'] === 'date-time') {
    return fc.oneof(
      fc.constantFrom('2026-01-20', '2026-01-10', '2026-02-01'),
      fc.constantFrom(...HOSTILE_TIMES),
    );
  }
  if (resolved['format'] === 'email') return fc.integer().map((n) => `somebody${n}@example.com`);
  if (type === 'boolean') return fc.boolean();
  if (type === 'number' || type === 'integer') return numberBetween(resolved, type);
  if (type === 'object') return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  return fc.integer({ min: 0, max: 1_000_000 }).map((n) => `text ${n}`);
}

function numberBetween(resolved: Json, type: string): fc.Arbitrary<unknown> {
  const min = (resolved['minimum'] as number | undefined) ?? 0;
  const max = Math.min((resolved['maximum'] as number | undefined) ?? 1_000, 1e10);
  const small = fc.integer({ min: Math.ceil(min), max: Math.floor(Math.min(max, min + 5)) });
  return type === 'integer'
    ? fc.oneof(small, fc.constantFrom(min, max))
    : fc.oneof(small, fc.constantFrom(min, max), fc.double({ min, max, noNaN: true }));
}

const STYLES: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `${name}=${encodeURIComponent(value)}`,
  (name, value) => `${name}[]=${encodeURIComponent(value)}`,
  (name, value) => `${name}[0]=${encodeURIComponent(value)}`,
  (name, value) => `${name}[0][property_name]=${encodeURIComponent(value)}&${name}[0].value=1`,
  (name, value) => `${name}[__proto__]=${encodeURIComponent(value)}`,
  (name, value) => `${name}=${encodeURIComponent(JSON.stringify([{ property_name: value, value }]))}`,
  (name) => `${name}=%zz`,
  (name) => `${name}`,
];

function queryOf(parameters: readonly Json[], ids: Ids): fc.Arbitrary<string> {
  const pairs = parameters.map((parameter) => {
    const name = String(parameter['name']);
    const choices = JSON.stringify(parameter).match(/"enum":(\[[^\]]*\])/)?.[1];
    const valid = ids[name] ?? (choices ? (JSON.parse(choices) as string[])[0]! : '2026-01-10');
    const value = fc.oneof(
      { weight: 4, arbitrary: fc.constant(valid) },
      { weight: 1, arbitrary: wellFormed },
    );
    const style = fc.oneof(
      { weight: 4, arbitrary: fc.constant(STYLES[0]!) },
      { weight: 1, arbitrary: fc.constantFrom(...STYLES) },
    );
    const pair = fc.tuple(style, value).map(([write, text]) => write(name, text));
    return parameter['required'] === true ? pair.map((text): string | null => text) : fc.option(pair);
  });
  return fc.tuple(...pairs).map((sent) => sent.filter((pair) => pair !== null).join('&'));
}

/** Texts that a URL can contain. */
const wellFormed = hostileText.map((text) => text.toWellFormed().slice(0, 3_000));

const pathOf = (path: string, ids: Ids): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...path.split('/').map((part) => {
        const name = /^\{(\w+)\}$/.exec(part)?.[1];
        if (name === undefined) return fc.constant(part);
        const odd = wellFormed
          .filter((text) => text !== '' && !/^\.{1,2}$/.test(text))
          .map(encodeURIComponent);
        return fc.oneof(
          { weight: 9, arbitrary: fc.constant(encodeURIComponent(ids[name]!)) },
          { weight: 1, arbitrary: odd },
        );
      }),
    )
    .map((parts) => parts.join('/'));

/** Generates requests of an operation, most of them with an invalid part. */
export function requestsLike(
  document: OpenApiDocument,
  { path, method }: DocumentedOperation,
  ids: Ids,
): fc.Arbitrary<GeneratedRequest> {
  const details = document.paths[path]![method]!;
  const parameters = (details['parameters'] as Json[]).filter((sent) => sent['in'] === 'query');
  const schema = bodySchema(document, { path, method });
  const body = schema
    ? fc.oneof(
        { weight: 20, arbitrary: similarTo(document, schema, '', ids).map(jsonText) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
      )
    : fc.constant(undefined);
  const type = fc.oneof(
    { weight: 30, arbitrary: fc.constant('application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'application/x-www-form-urlencoded',
        'text/plain',
        'multipart/form-data; boundary=x',
      ),
    },
  );
  return fc
    .tuple(pathOf(path, ids), queryOf(parameters, ids), type, body)
    .map(([to, query, contentType, text]) => ({
      path: query === '' ? to : `${to}?${query}`,
      type: contentType,
      body: text,
    }));
}
