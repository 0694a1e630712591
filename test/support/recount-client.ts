import { Recount } from '../../clients/typescript/src/index.js';

/** The API client with plain paths. It sends each request once, without an Idempotency-Key unless one is given. */
export class RecountClient extends Recount {
  constructor(baseUrl: string, apiKey: string) {
    super({ baseUrl, apiKey, retryForMs: 0, timeoutMs: 600_000 });
  }

  get<T>(path: string): Promise<T> {
    return this.request<T>({ method: 'GET', path });
  }

  post<T>(path: string, body: unknown, idempotencyKey: string | null = null): Promise<T> {
    return this.request<T>({ method: 'POST', path, body }, { idempotencyKey });
  }

  /** Iterates over all items of a list, page by page. */
  list<T>(path: string): AsyncIterable<T> {
    return this.pages<T>(path);
  }
}
