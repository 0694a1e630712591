import { randomUUID } from 'node:crypto';
import type request from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import type { OpenApiDocument } from '../../../src/platform/http/openapi/api-document.js';
import type { Random } from '../random.js';
import { operationsOf, type DocumentedOperation } from './document-index.js';
import { ACCEPTED_BODIES, IDS_TO_ACCEPT, ACCEPTED_QUERIES } from './accepted-requests.js';
import { bodiesOf, bodySchema, filledPath, resolve, type Ids, type Json } from './samples.js';

export interface RequestParts {
  readonly ids: Ids;
  readonly body?: unknown;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Drawing {
  readonly ids: Ids;
  readonly at: string;
  readonly random: Random;
}

/** Parameters that are not drawn: the test sets the moment, and a cursor comes from the page before. */
const NOT_DRAWN: ReadonlySet<string> = new Set(['as_of', 'cursor']);

/** An operation of the API document, with the requests that can be made of it. */
export class Operation {
  readonly #details: Json;
  readonly #parameters: readonly Json[];
  readonly #schema: Json | undefined;

  constructor(
    private readonly document: OpenApiDocument,
    readonly operation: DocumentedOperation,
  ) {
    this.#details = document.paths[operation.path]![operation.method]!;
    const parameters = this.#details['parameters'] as Json[];
    this.#parameters = parameters.filter((parameter) => parameter['in'] === 'query');
    this.#schema = bodySchema(document, operation);
  }

  get name(): string {
    return `${this.operation.method} ${this.operation.path}`;
  }

  get isPublic(): boolean {
    const schemes = this.#details['security'] as Json[];
    return schemes.length === 0 || schemes.some((scheme) => Object.keys(scheme).length === 0);
  }

  /** Returns the scopes that each allow the operation; none for a public operation. */
  get scopes(): readonly string[] {
    if (this.isPublic) return [];
    const required = this.#details['security'] as readonly Readonly<Record<string, readonly string[]>>[];
    return [...new Set(required.flatMap((scheme) => Object.values(scheme).flat()))];
  }

  /** Tells whether the operation requires the bootstrap key. */
  get isBootstrap(): boolean {
    return this.scopes.includes('bootstrap');
  }

  has(header: string): boolean {
    return JSON.stringify(this.#details['parameters']).includes(`/parameters/${header}"`);
  }

  get readsBody(): boolean {
    return this.#schema !== undefined;
  }

  acceptedIds(ids: Ids): Ids {
    const others = Object.entries(IDS_TO_ACCEPT[this.name] ?? {});
    return { ...ids, ...Object.fromEntries(others.map(([name, schema]) => [name, ids[schema]!])) };
  }

  acceptedBody(ids: Ids): unknown {
    const known = ACCEPTED_BODIES[this.name];
    if (known) return known(ids);
    return this.#schema && bodiesOf(this.document, this.#schema, ids, () => `text ${randomUUID()}`)[0];
  }

  /** Returns the nullable top-level fields of the body. */
  nullableFields(): string[] {
    if (!this.#schema) return [];
    const { properties = {} } = resolve(this.document, this.#schema) as { properties?: Record<string, Json> };
    return Object.entries(properties).flatMap(([name, field]) =>
      JSON.stringify(field).includes('"null"') ? [name] : [],
    );
  }

  /** Returns a body in which every field has a wrong type; undefined when the operation reads no body. */
  wrongBody(): object | undefined {
    if (!this.#schema) return undefined;
    const schema = resolve(this.document, this.#schema);
    const properties = (schema['properties'] ?? { batch: { type: 'array' } }) as Record<string, Json>;
    return Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [
        name,
        [resolve(this.document, field)['type']].flat()[0] === 'array' ? 'x' : [[]],
      ]),
    );
  }

  /** Returns a query in which every parameter has a form that none allows; undefined without parameters. */
  wrongQuery(): string | undefined {
    if (this.#parameters.length === 0) return undefined;
    return this.#parameters.map(({ name }) => `${String(name)}[x][y]=1`).join('&');
  }

  get takesFilters(): boolean {
    return this.#parameters.some(({ name }) => name === 'subscription_filters');
  }

  listParameters(): { readonly name: string; readonly choices: readonly string[] | undefined }[] {
    return this.#parameters.flatMap(({ name, schema }) => {
      const { type, items } = (schema ?? {}) as { type?: string; items?: { enum?: string[] } };
      return type === 'array' ? [{ name: String(name), choices: items?.enum }] : [];
    });
  }

  queryNames(): string[] {
    return this.#parameters.map(({ name }) => String(name));
  }

  requiredQuery(ids: Ids): string {
    const known = ACCEPTED_QUERIES[this.name];
    if (known) return known;
    return this.#parameters
      .filter((parameter) => parameter['required'] === true)
      .map(({ name }) => `${String(name)}=${encodeURIComponent(ids[String(name)]!)}`)
      .join('&');
  }

  /**
   * Returns a query with the required and some other parameters, with values that the document allows.
   * @param at a time
   */
  randomQuery(ids: Ids, at: string, random: Random): string {
    const drawn = this.#parameters.filter(
      ({ name, required }) => required !== true && !NOT_DRAWN.has(String(name)) && random.chance(0.5),
    );
    const values = drawn.flatMap(({ name, schema }) => {
      const value = this.#drawn(String(name), resolve(this.document, schema as Json), { ids, at, random });
      return value === undefined ? [] : [`${String(name)}=${encodeURIComponent(value)}`];
    });
    return [this.requiredQuery(ids), ...values].filter((part) => part !== '').join('&');
  }

  #drawn(name: string, schema: Json, from: Drawing): string | undefined {
    const { ids, at, random } = from;
    if (ids[name] !== undefined) return ids[name];
    const choices = schema['enum'] as readonly unknown[] | undefined;
    if (choices) return String(random.pick(choices));
    const type = [schema['type']].flat()[0];
    if (type === 'array') return this.#drawn(name, resolve(this.document, schema['items'] as Json), from);
    if (type === 'boolean') return String(random.chance(0.5));
    if (name === 'limit') return String(random.integer(1, 3));
    if (schema['format'] === 'date-time') {
      return new Date(Date.parse(at) - random.integer(0, 39) * 86_400_000).toISOString();
    }
    return undefined;
  }

  ask(
    agent: TestAgent,
    { ids, body, query = this.requiredQuery(ids), headers = {} }: RequestParts,
  ): request.Test {
    const to = `${filledPath(this.operation.path, ids)}?${query}`;
    const request = (agent as unknown as Record<string, (to: string) => request.Test>)[
      this.operation.method
    ]!(to);
    for (const [name, value] of Object.entries(headers)) request.set(name, value);
    return body === undefined ? request : request.send(body as object);
  }
}

/** Returns the operations of a document, ordered by path and method. */
export const allOperations = (document: OpenApiDocument): Operation[] =>
  operationsOf(document)
    .map((operation) => new Operation(document, operation))
    .sort((a, b) => (a.operation.path + a.name < b.operation.path + b.name ? -1 : 1));
