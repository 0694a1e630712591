import { SetMetadata, type Type } from '@nestjs/common';
import type { Page, QueryParams } from '../query/query-params.js';
import type { Schema } from './schema.js';

/** Readers of query parameters, by name: the same functions read a request and describe the parameters. */
export type QueryReaders = Readonly<Record<string, (query: QueryParams) => unknown>>;

export interface OperationSpec<Value = unknown> {
  /** One line on what it does. */
  readonly summary: string;
  /** Description beyond the summary, where the vocabulary does not say it (`vocabulary.ts`). */
  readonly description?: string;
  /** A body that works, where the vocabulary does not have it. */
  readonly example?: unknown;
  readonly answer: Schema<Value>;
  /** Media type of an answer that is not JSON. */
  readonly mediaType?: string;
  readonly query?: QueryReaders;
  /** The class that reads the body, or a schema where no class does. */
  readonly body?: Type<object> | Schema<unknown>;
  /** Not every request has to carry a body. */
  readonly bodyOptional?: true;
  /** Schemas of refusals other than a problem document, by status. */
  readonly others?: Readonly<Record<number, Schema<unknown>>>;
  readonly deprecated?: true;
  /** Why a read has no past to show, in a sentence: it takes no `as_of`. */
  readonly noPast?: string;
}

const OPERATION = 'recount:operation';

type Answer<Value> = Value | Page<Value extends readonly (infer Item)[] ? Item : object>;
type Handler<Value> = (...args: never[]) => Promise<Answer<Value>> | Answer<Value>;

/** Puts a route into the API document; the compiler holds what the route returns to the schema of its answer. */
export const Operation =
  <Value>(spec: OperationSpec<Value>) =>
  <Method extends Handler<Value>>(
    target: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    SetMetadata(OPERATION, spec)(target, name, descriptor);
  };

const AS_OF: QueryReaders = { asOf: (query) => query.instant('as_of') };

const isRead = (method: string): boolean => method === 'get' || method === 'head';

/** Every read takes `as_of`, but those that say why not. */
export const acceptsAsOf = (method: string, spec: OperationSpec): boolean =>
  isRead(method) && spec.noPast === undefined;

/** Why an operation takes no `as_of`. */
export const reasonWithoutAsOf = (method: string, spec: OperationSpec): string =>
  isRead(method) ? (spec.noPast ?? '') : 'It writes, and what is written is of the present.';

/** The query parameters of an operation: its own, and `as_of` where it takes it. */
export const queryReaders = (method: string, spec: OperationSpec): QueryReaders =>
  acceptsAsOf(method, spec) ? { ...spec.query, ...AS_OF } : (spec.query ?? {});

/** A route that is no operation of the API, such as a page for people. */
export const NotAnOperation = () => SetMetadata(OPERATION, 'none');

export const operationOf = (handler: object): OperationSpec | 'none' | undefined =>
  Reflect.getMetadata(OPERATION, handler) as OperationSpec | 'none' | undefined;
