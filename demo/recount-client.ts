import { setTimeout as sleep } from 'node:timers/promises';

/** The little HTTP a script needs: JSON, a key, an idempotency key, an error that says what the service said. */
export class RecountClient {
  constructor(
    readonly baseUrl: string,
    private readonly apiKey: string,
    /** For so long a request is sent again that is answered 503: for requests that may be sent twice. */
    private readonly patienceMs = 0,
  ) {}

  get<T>(path: string): Promise<T> {
    return this.send<T>('GET', path);
  }

  /** The same idempotency key answers the same, for ever: running the demo again creates nothing twice. */
  post<T>(path: string, body: unknown, idempotencyKey?: string): Promise<T> {
    return this.send<T>('POST', path, body, idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {});
  }

  /** Every item of a list, page by page along the Link header. */
  async *list<T>(path: string): AsyncGenerator<T> {
    for (let next: string | undefined = path; next !== undefined;) {
      const response: Response = await this.request('GET', next);
      for (const item of (await response.json()) as T[]) yield item;
      next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
  }

  private async send<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const response = await this.request(method, path, body, headers);
    return (await response.json()) as T;
  }

  private async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const send = () =>
      fetch(new URL(path, this.baseUrl), {
        method,
        headers: { 'X-API-KEY': this.apiKey, 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const end = performance.now() + this.patienceMs;
    let response = await send();
    while (response.status === 503 && performance.now() < end) {
      await response.body?.cancel();
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
      response = await send();
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }
}
