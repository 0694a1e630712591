import type { IdKind } from '../../../kernel/ids.js';
import type { PropertyFilter } from '../query/filter-params.js';
import { QueryParams, type CountBounds, type PageRequest } from '../query/query-params.js';
import type { ReferenceKind } from '../references/reference-fields.js';
import type { QueryReaders } from './operation.js';
import type { JsonSchema } from './schema.js';

export interface QueryDescription {
  readonly parameters: readonly JsonSchema[];
  /** True for a list that is answered in pages, with the next one in the `Link` header. */
  readonly isPaged: boolean;
  /** Kinds of the resources that parameters name. */
  readonly references: ReadonlyMap<string, ReferenceKind>;
}

const EXAMPLE_FILTERS = '[{"property_name":"region","value":"eu"}]';
const TEXT = { type: 'string', minLength: 1 };

/** Records which parameters are read, and answers as if none were sent. */
class DescribedQuery extends QueryParams {
  readonly found = new Map<string, JsonSchema>();
  readonly references = new Map<string, ReferenceKind>();
  isPaged = false;

  constructor() {
    super('');
  }

  override one(name: string): undefined {
    this.#note(name, { schema: TEXT });
  }

  override required<Value>(name: string, value: Value | undefined): Value {
    this.found.set(name, { ...this.found.get(name), required: true });
    return value as Value;
  }

  override requiredWithout<Value>(_name: string, value: Value | undefined): Value | undefined {
    return value;
  }

  override many(name: string): never[] {
    this.#note(name, { schema: { type: 'array', items: TEXT } });
    return [];
  }

  override choice(name: string, allowed: readonly string[]): undefined {
    this.#note(name, { schema: { type: 'string', enum: allowed } });
  }

  override choices(name: string, allowed: readonly string[]): never[] {
    this.#note(name, { schema: { type: 'array', items: { type: 'string', enum: allowed } } });
    return [];
  }

  override instant(name: string): undefined {
    this.#note(name, { schema: { type: 'string', format: 'date-time' } });
  }

  override count(name: string, { min = 0, max }: CountBounds = {}): undefined {
    this.#note(name, {
      schema: { type: 'integer', minimum: min, ...(max === undefined ? {} : { maximum: max }) },
    });
  }

  override flag(name: string, absent: boolean): boolean {
    this.#note(name, { schema: { type: 'boolean', default: absent } });
    return absent;
  }

  override id(name: string, kind: IdKind): undefined {
    this.references.set(name, kind);
    this.#note(name, { schema: TEXT });
  }

  override reference(name: string, kind: ReferenceKind): undefined {
    this.references.set(name, kind);
    this.#note(name, { schema: TEXT });
  }

  override page(bounds: { readonly default: number; readonly max: number }): PageRequest {
    const limit = { type: 'integer', minimum: 1, maximum: bounds.max, default: bounds.default };
    this.isPaged = true;
    this.#note('limit', { schema: limit });
    this.#note('cursor', { schema: TEXT, description: 'From the Link header of the page before.' });
    return { limit: bounds.default, cursor: undefined };
  }

  override propertyFilters(name: string): PropertyFilter[] {
    this.#note(name, {
      description: `A JSON list of filters, as one text: \`${EXAMPLE_FILTERS}\`. Also \`${name}[]={json}\` and \`${name}[0][property_name]=…&${name}[0][value]=…\`.`,
      schema: { type: 'string', minLength: 2 },
    });
    return [];
  }

  #note(name: string, description: JsonSchema): void {
    this.found.set(name, { name, in: 'query', required: false, ...description });
  }
}

/** Describes the parameters of these readers by running them on a recording query. */
export function describeQuery(readers: QueryReaders): QueryDescription {
  const query = new DescribedQuery();
  query.read(readers);
  const { isPaged, references } = query;
  return { parameters: [...query.found.values()], isPaged, references };
}

/** The names that these readers read. */
export const parameterNames = (readers: QueryReaders): string[] =>
  describeQuery(readers).parameters.map(({ name }) => name as string);
