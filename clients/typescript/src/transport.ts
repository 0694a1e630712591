import { ConnectionError, toApiError } from './errors.js';
import { nextPageOf, Pages } from './pages.js';
import { Positions } from './positions.js';
import { pause, waitBeforeRetry } from './retries.js';

export interface RecountOptions {
  /** Address of the service, without `/api`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Time for which a request with a temporary failure is retried; 0: never. Default 30 seconds. */
  readonly retryForMs?: number;
  /** Time for which a request that was refused with 429 is retried. Default `retryForMs`. */
  readonly retryThrottledForMs?: number;
  /** Longest time of one attempt. Default 60 seconds. */
  readonly timeoutMs?: number;
  /** Sends the requests instead of the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  /** For POST. Default: a new key for each call; null: none, and the request is not repeated after a 503. */
  readonly idempotencyKey?: string | null | undefined;
  /** ETag that the resource must still have: `recount.metadata(resource)?.etag`. */
  readonly ifMatch?: string | undefined;
  /** Your own correlation id; otherwise the service creates one. */
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For reads with a past: answers as it was at this moment of recorded time, as RFC 3339. */
  readonly asOf?: string | undefined;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path that begins with `/api/`. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** Tells whether it may arrive twice without an Idempotency-Key. */
  readonly isRepeatable?: boolean;
}

/** Headers of an answer that its body does not have. */
export interface Metadata {
  readonly etag: string | undefined;
  readonly requestId: string | undefined;
  /** Tells whether the read lacks an earlier write. */
  readonly isStale: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const DEFAULT_RETRY_MS = 30_000;
const DEFAULT_TIMEOUT_MS = 60_000;

/** Sends requests: retries, Idempotency-Keys, positions, errors. The methods of the API use it. */
export class Transport {
  readonly baseUrl: string;
  readonly #options: RecountOptions;
  readonly #positions = new Positions();
  readonly #metadata = new WeakMap<object, Metadata>();

  constructor(options: RecountOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#options = options;
  }

  /** Positions of recent writes. Pass them to a client in another process, and it sees these writes too. */
  get position(): string | undefined {
    return this.#positions.header();
  }

  /** Makes every later read see at least these positions of another client. */
  seeAtLeast(position: string): void {
    for (const one of position.split(',')) this.#positions.note(one.trim());
  }

  /** Returns the headers of the answer that contained this object; undefined for any other object. */
  metadata(answer: object): Metadata | undefined {
    return this.#metadata.get(answer);
  }

  /**
   * Sends a request for which there is no method.
   * @throws ApiError, ConnectionError
   */
  async request<T>(request: ApiRequest, options: RequestOptions = {}): Promise<T> {
    const query = queryAsOf(request.query, options);
    return (await this.#send({ ...request, query }, options)).body as T;
  }

  /** Reads a list along the links to its next pages. */
  pages<Item>(path: string, query?: object, options: RequestOptions = {}): Pages<Item> {
    return new Pages(pathWith(path, queryAsOf(query, options)), async (page) => {
      const { body, headers } = await this.#send({ method: 'GET', path: page }, options);
      return { items: body as Item[], next: nextPageOf(headers, page) };
    });
  }

  async #send(request: ApiRequest, options: RequestOptions): Promise<Answer> {
    const name = `${request.method} ${request.path}`;
    const headers = this.#headersOf(request, options);
    const mayArriveTwice =
      request.method === 'GET' || request.isRepeatable === true || headers.has('idempotency-key');
    const { retryForMs = DEFAULT_RETRY_MS, retryThrottledForMs = retryForMs } = this.#options;
    const begin = performance.now();
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#attempt(request, headers, options.signal).catch((error: unknown) => {
        if (options.signal?.aborted) throw error;
        return new ConnectionError(`${name}: ${reasonOf(error)}`, { cause: error });
      });
      const outcome = answer instanceof ConnectionError ? undefined : answer;
      // A failed command may have written.
      this.#positions.note(outcome?.headers.get('x-recount-position') ?? null);
      if (outcome && outcome.status >= 200 && outcome.status < 300) return this.#remember(outcome);
      const wait = waitBeforeRetry(outcome, attempt, mayArriveTwice);
      const longest = outcome?.status === 429 ? retryThrottledForMs : retryForMs;
      if (wait === undefined || performance.now() + wait > begin + longest) {
        throw outcome ? toApiError(name, outcome, outcome.body) : answer;
      }
      await pause(wait, options.signal);
    }
  }

  #headersOf({ method, body, isRepeatable }: ApiRequest, options: RequestOptions): Headers {
    const { idempotencyKey, ifMatch, requestId } = options;
    const isKeyed = method === 'POST' && idempotencyKey !== null;
    const key = isKeyed ? (idempotencyKey ?? (isRepeatable ? undefined : crypto.randomUUID())) : undefined;
    const sent: Record<string, string | undefined> = {
      'X-API-KEY': this.#options.apiKey,
      'Content-Type': body === undefined ? undefined : 'application/json',
      'Idempotency-Key': key,
      'If-Match': ifMatch,
      'X-Request-Id': requestId,
      'X-Recount-Position': method === 'GET' ? this.position : undefined,
    };
    return new Headers(
      Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  }

  /** The timer runs until the whole body has arrived. */
  async #attempt(
    { method, path, query, body }: ApiRequest,
    headers: Headers,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    signal?.throwIfAborted();
    const attempt = new AbortController();
    const abort = (): void => attempt.abort(signal!.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const ms = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const timer = setTimeout(() => attempt.abort(new Error(`no answer within ${ms} ms`)), ms);
    try {
      const response = await (this.#options.fetch ?? fetch)(this.baseUrl + pathWith(path, query), {
        method,
        headers,
        signal: attempt.signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, body: await bodyOf(response) };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  #remember(answer: Answer): Answer {
    const { body, headers } = answer;
    if (typeof body === 'object' && body !== null) {
      this.#metadata.set(body, {
        etag: headers.get('etag') ?? undefined,
        requestId: headers.get('x-request-id') ?? undefined,
        isStale: headers.get('x-recount-stale') === 'true',
      });
    }
    return answer;
  }
}

const queryAsOf = (query: object | undefined, { asOf }: RequestOptions): object | undefined =>
  asOf === undefined ? query : { ...query, as_of: asOf };

/** Parses JSON, returns files as bytes and anything else as text. */
async function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (/pdf|xml|zip|octet-stream/.test(type)) return new Uint8Array(await response.arrayBuffer());
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Writes an array as one parameter per item; an array of objects, such as filters, as one JSON text. */
function pathWith(path: string, query: object | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue;
    const values: unknown[] = Array.isArray(value) ? value : [value];
    if (values.some((one) => typeof one === 'object')) parameters.append(name, JSON.stringify(value));
    else for (const one of values) parameters.append(name, String(one));
  }
  return parameters.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${parameters.toString()}`;
}

/** Adds the cause: `fetch failed` alone says nothing. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
