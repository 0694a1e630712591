import type { Problem } from './generated/schema.js';

/** A machine-readable code of the API, such as `invalid_state`. */
export type ErrorCode = Problem['title'];
export type ValidationError = NonNullable<Problem['validation_errors']>[number];

/** Base class of every error that this client throws. */
export class RecountError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No answer arrived: the network failed, or the timeout ended. */
export class ConnectionError extends RecountError {}

/** An answer other than 2xx, with the fields of its problem body. */
export class ApiError extends RecountError {
  readonly status: number;
  /** The machine-readable code; undefined when something other than Recount answered. */
  readonly title: ErrorCode | undefined;
  readonly detail: string | undefined;
  /** All wrong fields of the request; empty when no field is wrong. */
  readonly validationErrors: readonly ValidationError[];
  /** Correlation id: give it to the operator of the service. */
  readonly requestId: string | undefined;

  constructor(
    request: string,
    answer: { readonly status: number; readonly headers: Headers },
    /** The body as it was sent, parsed where it is JSON. */
    readonly body: unknown,
  ) {
    const problem: Partial<Problem> = typeof body === 'object' && body !== null ? body : {};
    const said = problem.detail ?? (typeof body === 'string' ? body : JSON.stringify(body));
    super(`${request}: ${answer.status} ${problem.title ? `${problem.title}: ` : ''}${said}`);
    this.status = answer.status;
    this.title = problem.title;
    this.detail = problem.detail;
    this.validationErrors = problem.validation_errors ?? [];
    this.requestId = answer.headers.get('x-request-id') ?? problem.instance;
  }
}

/** 400: a field is wrong, or the operation is not possible in this state. */
export class InvalidRequestError extends ApiError {}
/** 401: no valid API key. */
export class AuthenticationError extends ApiError {}
/** 403: the API key lacks the required scope. */
export class PermissionDeniedError extends ApiError {}
/** 404: nothing has this id. */
export class NotFoundError extends ApiError {}
/** 409: a concurrent change, or the first request under this Idempotency-Key still runs. */
export class ConflictError extends ApiError {}
/** 412: the resource no longer has the ETag of If-Match. */
export class PreconditionFailedError extends ApiError {}
/** 422: another request was sent under this Idempotency-Key. */
export class IdempotencyKeyReusedError extends ApiError {}
/** 429: too many requests. */
export class ThrottledError extends ApiError {}
/** 503: a store or a read model is unavailable. */
export class UnavailableError extends ApiError {}

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  422: IdempotencyKeyReusedError,
  429: ThrottledError,
  503: UnavailableError,
};

/** Creates the error of the class of its status. */
export function toApiError(...[request, answer, body]: ConstructorParameters<typeof ApiError>): ApiError {
  return new (CLASSES[answer.status] ?? ApiError)(request, answer, body);
}
