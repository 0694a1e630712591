import fc from 'fast-check';
import type { OpenApiDocument } from '../../../src/platform/http/openapi/api-document.js';
import type { DocumentedOperation } from './document-index.js';
import { HOSTILE_TEXTS, HOSTILE_TIMES, HOSTILE_VALUES, jsonText } from './hostile-values.js';
import { ID_OF_LIST, resolve, type Ids, type Json } from './samples.js';

/** A request, with its body as it goes over the wire. */
export interface GeneratedRequest {
  readonly path: string;
  readonly type: string;
  readonly body: string | undefined;
}

/** Moving the clock to the year 9999 is no attack but a wish, and takes its time. */
const NEVER_RIGHT = new Set(['to']);

/** Of so many values in a row one is hostile: with more of them nothing gets past the first look at a body. */
const SOUND_TO_ONE = 30;

/** Lists whose entries have to fit together: left to chance they hardly ever do. */
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
const mostly = (sound: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: SOUND_TO_ONE, arbitrary: sound }, { weight: 1, arbitrary: hostile });

/** Bodies that are nearly what a schema asks for. */
function nearly(document: OpenApiDocument, schema: Json, name: string, ids: Ids): fc.Arbitrary<unknown> {
  const of = resolve(document, schema);
  const list = ID_OF_LIST[name];
  if (NEVER_RIGHT.has(name)) return hostile;
  if (name === 'tiers') return mostly(fc.constantFrom(...TIERS));
  if (ids[name] !== undefined) return mostly(fc.constant(ids[name]));
  if (list !== undefined) return mostly(fc.array(fc.constant(ids[list]), { maxLength: 2 }));
  if (of['anyOf']) {
    return fc.oneof(...(of['anyOf'] as Json[]).map((one) => nearly(document, one, name, ids)));
  }
  const type = [of['type']].flat()[0];
  if (type === 'object' && of['properties']) return mostly(nearlyObject(document, of, ids));
  if (type === 'array') {
    return mostly(fc.array(nearly(document, of['items'] as Json, `one of ${name}`, ids), { maxLength: 3 }));
  }
  return mostly(scalar(of, type as string, name));
}

function nearlyObject(document: OpenApiDocument, of: Json, ids: Ids): fc.Arbitrary<unknown> {
  const fields = Object.entries(of['properties'] as Record<string, Json>).map(
    ([name, field]) => [name, nearly(document, field, name, ids)] as const,
  );
  const required = (of['required'] as string[] | undefined) ?? [];
  const record = fc.record(Object.fromEntries(fields), { requiredKeys: required });
  return fc
    .tuple(record, fc.option(fc.constantFrom(...required, '__proto__', 'constructor'), { freq: 15 }), hostile)
    .map(([body, name, value]) =>
      name === null
        ? body
        : Object.fromEntries([...Object.entries(body as object), [name, value] as [string, unknown]]),
    );
}

function scalar(of: Json, type: string, name: string): fc.Arbitrary<unknown> {
  const choices = of['enum'] as unknown[] | undefined;
  if (choices) return fc.constantFrom(...choices);
  if (name.endsWith('currency_code')) return fc.constantFrom('USD', 'EUR', 'JPY', 'BHD');
  if (name === 'timezone') return fc.constantFrom('Europe/Warsaw', 'Pacific/Apia', 'UTC');
  if (of['format'] === 'date-time') {
    return fc.oneof(
      fc.constantFrom('2026-01-20', '2026-01-10', '2026-02-01'),
      fc.constantFrom(...HOSTILE_TIMES),
    );
  }
  if (of['format'] === 'email') return fc.integer().map((n) => `somebody${n}@example.com`);
  if (type === 'boolean') return fc.boolean();
  if (type === 'number' || type === 'integer') return numberBetween(of, type);
  if (type === 'object') return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  return fc.integer({ min: 0, max: 1_000_000 }).map((n) => `text ${n}`);
}

function numberBetween(of: Json, type: string): fc.Arbitrary<unknown> {
  const min = (of['minimum'] as number | undefined) ?? 0;
  const max = Math.min((of['maximum'] as number | undefined) ?? 1_000, 1e10);
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
    const sound = ids[name] ?? (choices ? (JSON.parse(choices) as string[])[0]! : '2026-01-10');
    const value = fc.oneof(
      { weight: 4, arbitrary: fc.constant(sound) },
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

/** What can stand in a URL at all. */
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

/** Requests of an operation, most of them wrong somewhere. */
export function requestsLike(
  document: OpenApiDocument,
  { path, method }: DocumentedOperation,
  ids: Ids,
): fc.Arbitrary<GeneratedRequest> {
  const details = document.paths[path]![method]!;
  const parameters = (details['parameters'] as Json[]).filter((sent) => sent['in'] === 'query');
  const content = (details['requestBody'] as { content: Record<string, { schema: Json }> } | undefined)
    ?.content;
  const body = content
    ? fc.oneof(
        {
          weight: 20,
          arbitrary: nearly(document, content['application/json']!.schema, '', ids).map(jsonText),
        },
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
