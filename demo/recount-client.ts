/** The little HTTP a script needs: JSON, a key, an idempotency key, an error that says what the service said. */
export class RecountClient {
  constructor(
    readonly baseUrl: string,
    private readonly apiKey: string,
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
    const response = await fetch(new URL(path, this.baseUrl), {
      method,
      headers: { 'X-API-KEY': this.apiKey, 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }
}
