import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type FieldError, type FieldErrorCode, unknownId } from '../../../kernel/errors.js';
import { fromWireId, type IdKind, kindName, type Uuid } from '../../../kernel/ids.js';
import { CALCULABLE_YEARS, outsideCalculable, parseInstant, type Instant } from '../../../kernel/instant.js';
import { isCurrency } from '../../../kernel/money.js';
import { readFilters, type PropertyFilter, type RawParam } from './filter-params.js';
import { InvalidRequest } from '../problems/problem.js';
import type { ReferenceKind } from '../references/reference-fields.js';
import { baseUrlOf } from '../server/base-url.js';
import { readFlag } from '../validation/flag-text.js';

/** Inclusive bounds of a number. */
export interface CountBounds {
  readonly min?: number;
  readonly max?: number;
}

export interface PageRequest {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Parses a query string in every encoding of docs/contract.md#query-parameters. */
export class QueryParams {
  readonly #params: readonly RawParam[];

  constructor(raw: string) {
    this.#params = parse(raw);
  }

  /** Runs every reader and reports all invalid parameters at once, each once. */
  read<Readers extends Readonly<Record<string, (query: QueryParams) => unknown>>>(
    readers: Readers,
  ): { [Name in keyof Readers]: ReturnType<Readers[Name]> } {
    const values: Record<string, unknown> = {};
    const faults = this.faultsOf(readers, values).map((fault) => [fault.attr, fault] as const);
    const [first, ...rest] = new Map(faults).values();
    if (first) throw new InvalidRequest(first, ...rest);
    return values as { [Name in keyof Readers]: ReturnType<Readers[Name]> };
  }

  /** Runs every reader and returns the faults. @param values receives the parsed values */
  faultsOf(
    readers: Readonly<Record<string, (query: QueryParams) => unknown>>,
    values: Record<string, unknown> = {},
  ): FieldError[] {
    const faults: FieldError[] = [];
    for (const [name, reader] of Object.entries(readers)) {
      try {
        values[name] = reader(this);
      } catch (error) {
        if (!(error instanceof InvalidRequest)) throw error;
        faults.push(...error.fields);
      }
    }
    return faults;
  }

  /** Returns every parameter in its sent form. */
  sent(): readonly RawParam[] {
    return this.#params;
  }

  /** Returns whether a parameter is sent, and only with this value. */
  isOnly(name: string, value: unknown): boolean {
    const params = this.#named(name);
    return params.length > 0 && params.every((param) => param.suffix === '' && param.value === value);
  }

  /** Returns a parameter with one value; undefined when it is not sent. */
  one(name: string): string | undefined {
    const [param, ...more] = this.#named(name);
    if (!param) return undefined;
    if (more.length > 0) throw wrong('invalid', name, 'Give this parameter once.');
    if (param.suffix !== '') throw wrong('invalid', name, 'This parameter is no list. Give one value.');
    if (param.value === '')
      throw wrong('blank', name, 'This parameter is blank. Give a value, or leave it out.');
    return param.value;
  }

  /** Requires a parameter to be sent. */
  required<Value>(name: string, value: Value | undefined): Value {
    if (value === undefined) throw wrong('required', name, 'This parameter is required. Give it.');
    return value;
  }

  /** Requires a parameter to be sent where none of these others is. */
  requiredWithout<Value>(
    name: string,
    value: Value | undefined,
    others: readonly string[],
    detail: string,
  ): Value | undefined {
    if (value !== undefined || others.some((other) => this.#named(other).length > 0)) return value;
    throw wrong('required', name, detail);
  }

  /** Reads a list as `a=x&a=y`, `a[]=x&a[]=y`, `a[0]=x` or `a=x,y`; values have no comma. Empty when not sent. */
  many(name: string): string[] {
    return this.#entries(name, (value) => value);
  }

  /** Reads a currency code of ISO 4217, in any case. */
  currency(name: string): string | undefined {
    const code = this.one(name)?.toUpperCase();
    if (code === undefined || isCurrency(code)) return code;
    throw wrong('does_not_exist', name, 'There is no currency with this code of ISO 4217. Check the code.');
  }

  choice<Choice extends string>(name: string, allowed: readonly Choice[]): Choice | undefined {
    const value = this.one(name);
    return value === undefined ? undefined : oneOf(name, value, allowed);
  }

  choices<Choice extends string>(name: string, allowed: readonly Choice[]): Choice[] {
    return this.#entries(name, (value) => oneOf(name, value, allowed));
  }

  instant(name: string): Instant | undefined {
    const value = this.one(name);
    if (value === undefined) return undefined;
    // A plus that was not percent-encoded arrives as a blank.
    const at = parseInstant(value.replace(/(T\d{2}:\d{2}:\d{2}(?:\.\d+)?) (\d{2}:?\d{2})$/i, '$1+$2'));
    if (!at) throw wrong('invalid', name, 'Give a date and time as RFC 3339, such as 2026-01-31T12:00:00Z.');
    return at;
  }

  /** Reads a time that other times are calculated from, which stay within the years that can be written. */
  calculableInstant(name: string): Instant | undefined {
    const at = this.instant(name);
    const outside = at && outsideCalculable(at);
    if (!outside) return at;
    const code = outside === 'before' ? 'min_value' : 'max_value';
    throw wrong(code, name, `Give a time in ${CALCULABLE_YEARS}.`);
  }

  /** Reads a whole number within bounds, by default 0 or more; undefined when it is not sent. */
  count(name: string, { min = 0, max }: CountBounds = {}): number | undefined {
    const value = this.one(name);
    if (value === undefined) return undefined;
    const detail = `Give a whole number from ${min} ${max === undefined ? 'on' : `to ${max}`}.`;
    if (!/^-?\d{1,15}$/.test(value)) throw wrong('invalid', name, detail);
    if (Number(value) < min) throw wrong('min_value', name, detail);
    if (Number(value) > (max ?? Infinity)) throw wrong('max_value', name, detail);
    return Number(value);
  }

  flag(name: string, absent: boolean): boolean {
    const value = this.one(name);
    if (value === undefined) return absent;
    const flag = readFlag(value);
    if (flag === undefined) throw wrong('invalid', name, 'Give true or false.');
    return flag;
  }

  /** Reads an id; text that is no id is reported as an unknown id. */
  id(name: string, kind: IdKind): Uuid | undefined {
    const value = this.one(name);
    if (value === undefined) return undefined;
    const id = fromWireId(kind, value);
    if (!id) throw wrong('does_not_exist', name, unknownId(kindName(kind)));
    return id;
  }

  /** Reads an id that is the caller's own text. */
  reference(name: string, _kind: ReferenceKind): string | undefined {
    return this.one(name);
  }

  page(bounds: { readonly default: number; readonly max: number }): PageRequest {
    const text = this.one('limit');
    const limit = text === undefined ? bounds.default : Number(text);
    if (text !== undefined && !/^-?\d{1,9}$/.test(text))
      throw wrong('invalid', 'limit', 'Give a whole number.');
    if (limit < 1) throw wrong('min_value', 'limit', 'Give a limit of at least 1.');
    if (limit > bounds.max) throw wrong('max_value', 'limit', `Give a limit of at most ${bounds.max}.`);
    return { limit, cursor: this.one('cursor') };
  }

  propertyFilters(name: string): PropertyFilter[] {
    return readFilters(name, this.#named(name));
  }

  #entries<Entry>(name: string, read: (value: string) => Entry): Entry[] {
    const sent = inIndexOrder(name, this.#named(name)).flatMap((value) => value.split(','));
    const detail = 'A value of this parameter is blank. Give it, or leave it out.';
    const readers = sent.map((value, index) => (): Entry => {
      if (value === '') throw wrong('blank', `${name}.${index}`, detail);
      return read(value);
    });
    return Object.values(this.read(Object.fromEntries(readers.entries())));
  }

  #named(name: string): RawParam[] {
    return this.#params.filter((param) => param.name === name);
  }
}

/** `@RawQuery() query: QueryParams` */
export const RawQuery = createParamDecorator((_: unknown, context: ExecutionContext): QueryParams =>
  queryOf(context.switchToHttp().getRequest<Request>()),
);

/** Returns the parameters of a request from its raw URL. */
export function queryOf(request: Request): QueryParams {
  return new QueryParams(splitUrl(request.originalUrl).query);
}

/** Splits a URL at its first `?`; others belong to the query. */
function splitUrl(url: string): { readonly path: string; readonly query: string } {
  const start = url.indexOf('?');
  return start < 0 ? { path: url, query: '' } : { path: url.slice(0, start), query: url.slice(start + 1) };
}

function parse(raw: string): RawParam[] {
  const params: RawParam[] = [];
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const key = nameOf(pair);
    const equals = pair.indexOf('=');
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1), key);
    const bracket = key.search(/[[.]/);
    params.push(
      bracket > 0
        ? { name: key.slice(0, bracket), suffix: key.slice(bracket), value }
        : { name: key, suffix: '', value },
    );
  }
  return params;
}

/** Returns the decoded name of a `name=value` pair. */
const nameOf = (pair: string): string => decode(pair.split('=', 1)[0]!, pair);

function decode(text: string, name: string): string {
  const decoded = tryDecoding(text.replaceAll('+', ' '));
  // PostgreSQL stores no NUL.
  if (decoded !== undefined && !decoded.includes('\0')) return decoded;
  throw wrong('invalid', name, 'This parameter is no percent-encoded UTF-8 text. Encode it.');
}

function tryDecoding(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Returns indexed values in the order of their indexes, others in the order of the query. */
function inIndexOrder(name: string, params: readonly RawParam[]): string[] {
  const indexed = params.map((param, position) => {
    const m = /^(?:|\[(\d{0,4})\])$/.exec(param.suffix);
    if (!m) throw wrong('invalid', name, `Write a list as ${name}=x&${name}=y, ${name}[]=x or ${name}[0]=x.`);
    return { value: param.value, index: m[1] ? Number(m[1]) : position };
  });
  return indexed.sort((a, b) => a.index - b.index).map(({ value }) => value);
}

function oneOf<Choice extends string>(name: string, value: string, allowed: readonly Choice[]): Choice {
  const choice = allowed.find((candidate) => candidate === value);
  if (choice === undefined) throw wrong('invalid_choice', name, `Choose from: ${allowed.join(', ')}.`);
  return choice;
}

const wrong = (code: FieldErrorCode, attr: string, detail: string): InvalidRequest =>
  new InvalidRequest({ code, detail, attr });

/** Page of a list that a controller returns. The answer is the array of items, or `answer`, with a `Link` to the next page. */
export class Page<Item> {
  constructor(
    readonly items: readonly Item[],
    /** Opaque text that requests the next page; undefined on the last page. */
    readonly nextCursor: string | undefined,
    readonly answer: unknown = items,
  ) {}
}

/** Returns the body of an answer, and sets the `Link` header of a page (docs/contract.md#pages). */
export function withPageLink(answer: unknown, request: Request, response: Response): unknown {
  if (!(answer instanceof Page)) return answer;
  if (answer.nextCursor !== undefined) {
    response.setHeader('Link', `<${urlOfNext(request, answer.nextCursor)}>; rel="next"`);
  }
  return answer.answer;
}

/** Returns the URL of the request with the next cursor, at the address that the caller used. */
function urlOfNext(request: Request, cursor: string): string {
  const { path, query } = splitUrl(request.originalUrl);
  const others = query.split('&').filter((pair) => pair !== '' && nameOf(pair) !== 'cursor');
  return `${baseUrlOf(request)}${path}?${[...others, `cursor=${encodeURIComponent(cursor)}`].join('&')}`;
}

/** Query parameter of an act: nothing is stored, and the answer is what the act would bring. */
export const PREVIEW = { preview: (query: QueryParams) => query.flag('preview', false) };
