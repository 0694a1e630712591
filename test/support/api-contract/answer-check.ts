import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { OpenApiDocument } from '../../../src/platform/http/openapi/api-document.js';
import { findOperation, operationsOf } from './document-index.js';

export interface Answered {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

type Json = { readonly [keyword: string]: unknown };

/** Checks answers against the API document: status, type, headers and body, which must have no undescribed field. */
export class AnswerCheck {
  readonly #operations;
  /** Compiles shared schemas once and does not optimize them, as each checks few answers. */
  readonly #ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  });

  constructor(
    private readonly document: OpenApiDocument,
    private readonly undescribed: readonly string[],
  ) {
    this.#operations = operationsOf(document);
    formats.default(this.#ajv);
    this.#ajv.addSchema({ $id: 'api', ...closed(document) });
  }

  /** Returns the deviations of an answer from the document, in sentences. */
  faultsOf(answered: Answered): string[] {
    const operation = findOperation(this.#operations, answered.method, answered.url);
    if (!operation) return this.#undescribedFaults(answered);
    const at = ['paths', operation.path, operation.method, 'responses'];
    const responses = this.document.paths[operation.path]![operation.method]!['responses'] as Json;
    const key = String(answered.status) in responses ? String(answered.status) : 'default';
    if (key === 'default' && answered.status < 400) return [`the document has no answer ${answered.status}`];
    const type = String(answered.headers['content-type'] ?? '').split(';')[0]!;
    const response = responses[key] as Json;
    const content = response['content'] as Json;
    if (!(type in content))
      return [`the type is ${type || 'missing'}, not ${Object.keys(content).join(' or ')}`];
    const absent = this.#missingHeaders(response, answered);
    if (!type.endsWith('json')) return absent;
    return [...absent, ...this.#bodyFaults([...at, key, 'content', type, 'schema'], answered.body)];
  }

  #undescribedFaults({ method, url, status, headers, body }: Answered): string[] {
    const route = this.undescribed.find((name) => {
      const [verb, path] = name.split(' ') as [string, string];
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`);
      return verb === method && pattern.test(url.split('?', 1)[0]!);
    });
    if (route) return [`${route} has no @Operation: see docs/architecture.md#requests`];
    if (status < 400 || !String(headers['content-type']).startsWith('application/problem+json')) return [];
    return this.#bodyFaults(['components', 'schemas', 'Problem'], body);
  }

  #missingHeaders(response: Json, { headers }: Answered): string[] {
    const described = Object.keys((response['headers'] ?? {}) as Json);
    const always = described.filter((name) => {
      const header = (this.document.components['headers'] as Record<string, Json>)[name]!;
      return header['required'] === true;
    });
    return always
      .filter((name) => headers[name.toLowerCase()] === undefined)
      .map((name) => `the header ${name} is missing`);
  }

  #bodyFaults(pointer: readonly string[], body: string): string[] {
    const ref = `api#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const validate = this.#ajv.getSchema(ref) as ValidateFunction;
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return ['the body is no JSON'];
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** Returns the document with `additionalProperties: false` in every object schema with properties. */
function closed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(closed) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]));
  const isObject = copy['type'] === 'object' && typeof copy['properties'] === 'object';
  return (
    isObject && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy
  ) as Value;
}
