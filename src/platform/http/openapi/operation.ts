import { SetMetadata, type Type } from '@nestjs/common';
import type { Page, QueryParams } from '../query/query-params.js';
import type { Schema } from './schema.js';

/** Readers of query parameters, by name: the same functions read a request and describe the parameters. */
export type QueryReaders = Readonly<Record<string, (query: QueryParams) => unknown>>;

export interface OperationSpec<Value = unknown> {
  /** Sentence that says what the operation does. */
  readonly summary: string;
  /** Description beyond the summary, unless the vocabulary has it (`vocabulary.ts`). */
  readonly description?: string;
  /** Example of a body, unless the vocabulary has it. */
  readonly example?: unknown;
  readonly answer: Schema<Value>;
  /** Media type of an answer that is not JSON. */
  readonly mediaType?: string;
  /** True if a part can be asked for, which is answered with 206. */
  readonly partial?: true;
  readonly query?: QueryReaders;
  /** Class that reads the body, or a schema. */
  readonly body?: Type<object> | Schema<unknown>;
  /** True if the body may be left out. */
  readonly bodyOptional?: true;
  /** Descriptions of refusals by status that other operations of this kind do not have. */
  readonly refusals?: Readonly<Record<number, string>>;
  /** Schemas of refusals other than a problem document, by status. */
  readonly others?: Readonly<Record<number, Schema<unknown>>>;
  readonly deprecated?: true;
  /** Sentence that says why a read takes no `as_of`. */
  readonly noPast?: string;
  /** Tables of read models that a read queries: it waits for no others. By default it waits for all. */
  readonly tables?: readonly string[];
}

const OPERATION = 'recount:operation';

type Answer<Value> = Value | Page<Value extends readonly (infer Item)[] ? Item : object>;
type Handler<Value> = (...args: never[]) => Promise<Answer<Value>> | Answer<Value>;

/** Adds a route to the API document. The compiler checks the type that the route returns against the schema. */
export const Operation =
  <Value>(spec: OperationSpec<Value>) =>
  <Method extends Handler<Value>>(
    target: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    SetMetadata(OPERATION, spec)(target, name, descriptor);
  };

const AS_OF: QueryReaders = { asOf: (query) => query.calculableInstant('as_of') };

const isRead = (method: string): boolean => method === 'get' || method === 'head';

/** Returns whether an operation takes `as_of`: every read without `noPast`. */
export const acceptsAsOf = (method: string, spec: OperationSpec): boolean =>
  isRead(method) && spec.noPast === undefined;

/** Returns why an operation takes no `as_of`. */
export const reasonWithoutAsOf = (method: string, spec: OperationSpec): string =>
  isRead(method) ? (spec.noPast ?? '') : 'It writes.';

/** Returns the query parameters of an operation, with `as_of` if it takes it. */
export const queryReaders = (method: string, spec: OperationSpec): QueryReaders =>
  acceptsAsOf(method, spec) ? { ...spec.query, ...AS_OF } : (spec.query ?? {});

/** Marks a route that is no operation of the API, such as a page for people. */
export const NotAnOperation = () => SetMetadata(OPERATION, 'none');

export const operationOf = (handler: object): OperationSpec | 'none' | undefined =>
  Reflect.getMetadata(OPERATION, handler) as OperationSpec | 'none' | undefined;

/** Returns the tables that a read waits for; undefined for all. */
export function tablesOf(handler: object): readonly string[] | undefined {
  const spec = operationOf(handler);
  return typeof spec === 'object' ? spec.tables : undefined;
}
