import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { AsOf } from '../as-of/as-of.js';
import { BodyLimiter } from '../body/body-limiter.js';
import { Consistency } from '../consistency/consistency.js';
import { Etags } from '../etag/etags.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { readMultipart } from '../body/multipart-form.js';
import { withPageLink, queryOf, type QueryParams } from '../query/query-params.js';
import { FairRequestLimiter } from '../rate-limits/fair-request-limiter.js';
import { SLOTS_AS_OF, slotsForBody } from '../rate-limits/rate-limits.js';
import { stateOf } from '../auth/caller.js';
import { distance } from 'fastest-levenshtein';
import type { FieldError } from '../../../kernel/errors.js';
import { hasBody, isForm, isMultipart } from '../body/receive-body.js';
import { parameterNames } from '../openapi/described-query.js';
import {
  operationOf,
  type OperationSpec,
  queryReaders,
  type QueryReaders,
  reasonWithoutAsOf,
  tablesOf,
} from '../openapi/operation.js';
import { InvalidRequest } from '../problems/problem.js';
import { UnknownReferences } from '../references/unknown-references.js';
import { valuesOfForm } from '../validation/form-values.js';

/**
 * Runs all steps between guards and pipe, the outermost first. Each further interceptor would cost every request the
 * overhead of rxjs.
 */
@Injectable()
export class RequestInterceptor implements NestInterceptor {
  constructor(
    private readonly consistency: Consistency,
    private readonly idempotency: Idempotency,
    private readonly etags: Etags,
    private readonly shares: FairRequestLimiter,
    private readonly bodies: BodyLimiter,
    private readonly past: AsOf,
    private readonly references: UnknownReferences,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(this.#answer(context, () => lastValueFrom(next.handle())));
  }

  async #answer(context: ExecutionContext, handle: () => Promise<unknown>): Promise<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    refuseUnknownParams(request, context.getHandler());
    const state = stateOf(request);
    const { caller } = state;
    if (caller && hasBody(request) && isMultipart(request)) {
      await this.bodies.receive(caller.org, (body) => readMultipart(request, response, body));
    }
    const { past, shares, etags, idempotency, consistency } = this;
    const isPast = AS_OF_OR_ENCODED.test(request.originalUrl);
    const moment = isPast ? await past.momentOf(request, context.getHandler()) : undefined;
    // Each step calls the next one, from the last line of this method up to the handler.
    const withHandler = () => this.#handle(context, request, response, handle);
    const withEtag = () => etags.around(request, response, withHandler);
    const onceOrAsOf = () =>
      moment === undefined
        ? idempotency.around(request, withEtag)
        : past.around(request, response, moment, withEtag);
    const needs = {
      slots: slotsForBody(state.bodyBytes ?? 0) + (moment === undefined ? 0 : SLOTS_AS_OF),
      isBegun: true,
      isCommand: request.method !== 'GET' && request.method !== 'HEAD',
      hasLeft: () => request.socket.destroyed,
    };
    // As of a moment a public route has a caller too: `momentOf` authenticates it.
    const payer = moment === undefined ? caller : state.caller;
    const inFairShare = () => (payer ? shares.run(payer.org, onceOrAsOf, needs) : onceOrAsOf());
    // Commands wait for nothing, and a read as of a moment folds events of every kind.
    const tables = needs.isCommand || moment !== undefined ? undefined : tablesOf(context.getHandler());
    return consistency.around(request, response, inFairShare, tables);
  }

  /** Runs the handler, links the next page, and completes an error with the unknown ids of the request. */
  async #handle(
    context: ExecutionContext,
    request: Request,
    response: Response,
    handle: () => Promise<unknown>,
  ): Promise<unknown> {
    try {
      readAsForm(request, context.getHandler());
      return withPageLink(await handle(), request, response);
    } catch (error) {
      throw await this.references.completed(error, request, context.getHandler());
    }
  }
}

/**
 * Converts the texts of a form by the class of the body. It runs after the Idempotency-Key, whose recorded hashes are of
 * forms as they were sent.
 */
function readAsForm(request: Request, handler: object): void {
  if (!isForm(request) || typeof request.body !== 'object') return;
  const spec = operationOf(handler);
  const type = typeof spec === 'object' ? spec.body : undefined;
  if (typeof type === 'function') {
    request.body = valuesOfForm(type as Type<object>, request.body as object);
  }
}

/** Matches URLs whose query may contain `as_of`, also percent-encoded; the query of others need not be read. */
const AS_OF_OR_ENCODED = /as_of|%/;

interface Allowed {
  readonly names: readonly string[];
  readonly readers: QueryReaders;
  readonly reasonWithoutAsOf: string;
}

const READS = new WeakMap<object, Allowed | undefined>();
const OTHERS = new WeakMap<object, Allowed | undefined>();

/**
 * Refuses unknown query parameters and a GET with a body, which would otherwise change nothing in the answer
 * (docs/contract.md#query-parameters). For a GET it reports invalid values too.
 */
function refuseUnknownParams(request: Request, handler: object): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isAsked = request.originalUrl.includes('?');
  if (!isAsked && !(isRead && hasBody(request))) return;
  const allowed = allowedOf(handler, isRead);
  if (!allowed) return;
  const query = queryOf(request);
  const faults = [
    ...(isRead && hasBody(request) ? [bodyOfGet(allowed.names)] : []),
    ...unknownParams(query, allowed, request.params),
  ];
  if (faults.length === 0) return;
  const [first, ...rest] = [...faults, ...(isRead ? query.faultsOf(allowed.readers) : [])];
  throw new InvalidRequest(first!, ...rest);
}

/** Returns undefined for a route that is no operation, such as a page. */
function allowedOf(handler: object, isRead: boolean): Allowed | undefined {
  const known = isRead ? READS : OTHERS;
  if (!known.has(handler)) {
    const spec = operationOf(handler);
    known.set(handler, typeof spec === 'object' ? allowedBy(isRead ? 'get' : 'post', spec) : undefined);
  }
  return known.get(handler);
}

function allowedBy(method: string, spec: OperationSpec): Allowed {
  const readers = queryReaders(method, spec);
  return { names: parameterNames(readers), readers, reasonWithoutAsOf: reasonWithoutAsOf(method, spec) };
}

/** Returns the faults of unknown parameters. A path parameter may be repeated with its value, as clients of Lotus do. */
function unknownParams(
  query: QueryParams,
  { names, reasonWithoutAsOf: reason }: Allowed,
  path: Readonly<Record<string, unknown>>,
): FieldError[] {
  const unknown = [...new Set(query.sent().map(({ name, suffix }) => name + suffix.replace(/\[.*/s, '')))]
    .filter((name) => !names.includes(name.split('.')[0]!) || name === '')
    .filter((name) => !(name in path && query.isOnly(name, path[name])));
  return unknown.map((name) => ({
    code: 'invalid',
    detail: name === 'as_of' ? noPast(reason) : sentence(name, names),
    attr: name.slice(0, 200),
  }));
}

const noPast = (reason: string): string => `This operation takes no as_of. ${reason} Leave it out.`;

function sentence(sent: string, names: readonly string[]): string {
  const nearest = nearestOf(sent, names);
  const accepted = names.length === 0 ? 'It takes none.' : `It takes ${names.join(', ')}.`;
  return `This operation has no query parameter with this name. ${nearest ? `Did you mean ${nearest}?` : accepted}`;
}

/** Returns the name that a mistyped name resembles; undefined if none is near. */
function nearestOf(sent: string, names: readonly string[]): string | undefined {
  const plain = (name: string): string => name.replace(/[^a-z0-9]/gi, '').toLowerCase();
  const [nearest] = names
    .map((name) => ({ name, steps: distance(plain(name), plain(sent.slice(0, 100))) }))
    .sort((a, b) => a.steps - b.steps);
  return nearest && nearest.steps <= Math.floor(plain(nearest.name).length / 2) ? nearest.name : undefined;
}

const bodyOfGet = (names: readonly string[]): FieldError => ({
  code: 'invalid',
  detail: `A GET has no body. ${
    names.length === 0
      ? 'This operation takes no parameters.'
      : `Send parameters in the query: ${names.join(', ')}.`
  }`,
  attr: 'non_field_errors',
});
