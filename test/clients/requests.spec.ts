import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApiError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  Recount,
  type RecountOptions,
  ThrottledError,
  UnavailableError,
} from '../../clients/typescript/src/index.js';
import { freePort, listen } from '../support/listen.js';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Received requests, and the handlers that answer them in order; the last handler answers all further requests. */
let received: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
let handlers: Handle[];
let url: string;
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    received.push({ method: request.method!, url: request.url!, headers: request.headers, body });
    (handlers.length > 1 ? handlers.shift()! : handlers[0]!)(request, response);
  });
});
const json =
  (status: number, body: object, headers: Record<string, string> = {}): Handle =>
  (_, response) =>
    void response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify(body));
const problem = (status: number, title: string, headers: Record<string, string> = {}): Handle =>
  json(status, { type: 'x#client-error', title, detail: 'So it is.', status, instance: 'id' }, headers);
const busy = problem(503, 'unavailable', { 'Retry-After': '0' });
const hangUp: Handle = (request) => void request.socket.destroy();
const client = (options: Partial<RecountOptions> = {}): Recount =>
  new Recount({ baseUrl: `${url}/`, apiKey: 'a key', retryForMs: 20_000, ...options });
const keys = (): unknown[] => received.map(({ headers }) => headers['idempotency-key']);

beforeAll(async () => {
  url = `http://127.0.0.1:${await listen(server)}`;
});
beforeEach(() => {
  received = [];
});
afterAll(() => void server.close());

describe('retries of the TypeScript client', () => {
  it('send a POST again after 503, 429, a lost connection and a conflict that passes, under one key', async () => {
    handlers = [
      busy,
      problem(429, 'throttled', { 'Retry-After': '0' }),
      hangUp,
      problem(409, 'conflict', { 'Retry-After': '0' }),
      json(201, { ok: true }),
    ];
    expect(await client().createFeature({ feature_name: 'Export' })).toEqual({ ok: true });
    expect(received.map(({ body }) => body)).toEqual(Array(5).fill('{"feature_name":"Export"}'));
    expect(new Set(keys()).size).toBe(1);
    expect(keys()[0]).toMatch(/^[\w-]{36}$/);
  });

  it("use the caller's key; another call has another key; usage needs none", async () => {
    handlers = [json(201, {})];
    await client().createFeature({ feature_name: 'A' }, { idempotencyKey: 'mine' });
    await client().createFeature({ feature_name: 'A' });
    await client().createFeature({ feature_name: 'A' });
    await client().trackEvents({ batch: [] });
    expect(keys()[0]).toBe('mine');
    expect(new Set(keys().slice(0, 3)).size).toBe(3);
    expect(keys()[3]).toBeUndefined();
  });

  it('send nothing twice that could be done twice: a PATCH only after 429, a POST without a key neither', async () => {
    handlers = [problem(429, 'throttled', { 'Retry-After': '0' }), json(200, {})];
    await client().updateCustomer('acme', { customer_name: 'Acme' });
    expect(received).toHaveLength(2);
    handlers = [busy];
    await expect(client().updateCustomer('acme', {})).rejects.toThrow(UnavailableError);
    await expect(client().deletePlan('plan_1', { idempotencyKey: null })).rejects.toThrow(UnavailableError);
    expect(received).toHaveLength(4);
  });

  it('end with the time for them: what Retry-After asks beyond it is not waited for', async () => {
    handlers = [problem(429, 'throttled', { 'Retry-After': '3600' })];
    await expect(client().getPlan('plan_1')).rejects.toThrow(ThrottledError);
    handlers = [busy];
    await expect(client({ retryForMs: 0 }).getPlan('plan_1')).rejects.toThrow(UnavailableError);
    expect(received).toHaveLength(2);
  });

  it('of what was refused with 429 have a time of their own', async () => {
    handlers = [problem(429, 'throttled', { 'Retry-After': '1' }), busy];
    const patient = client({ retryForMs: 0, retryThrottledForMs: 60_000 });
    await expect(patient.getPlan('plan_1')).rejects.toThrow(UnavailableError);
    expect(received).toHaveLength(2);
    const hasty = client({ retryThrottledForMs: 0 });
    handlers = [problem(429, 'throttled', { 'Retry-After': '0' })];
    await expect(hasty.getPlan('plan_1')).rejects.toThrow(ThrottledError);
    expect(received).toHaveLength(3);
  });

  it("end with the caller's signal", async () => {
    const caller = new AbortController();
    handlers = [
      (request, response) => {
        problem(503, 'unavailable', { 'Retry-After': '10' })(request, response);
        response.once('close', () => caller.abort(new Error('never mind')));
      },
    ];
    await expect(client().getPlan('plan_1', { signal: caller.signal })).rejects.toThrow('never mind');
  });
});

describe('errors of the TypeScript client', () => {
  it('have the fields of the problem, by the class of their status', async () => {
    const wrong = [{ code: 'required', detail: 'Give a name.', attr: 'feature_name' }];
    handlers = [
      json(
        400,
        { title: 'required', detail: 'A field is wrong.', status: 400, validation_errors: wrong },
        { 'X-Request-Id': 'r1' },
      ),
    ];
    const error = await client()
      .createFeature({ feature_name: '' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      message: 'POST /api/features/: 400 required: A field is wrong.',
      status: 400,
      title: 'required',
      validationErrors: wrong,
      requestId: 'r1',
    });
    handlers = [problem(404, 'not_found')];
    await expect(client().getPlan('plan_1')).rejects.toThrow(NotFoundError);
  });

  it('say what something other than the service answered', async () => {
    handlers = [(_, response) => void response.writeHead(502).end('Bad gateway')];
    const error = await client()
      .getPlan('plan_1')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 502, title: undefined, body: 'Bad gateway' });
  });

  it('name an address that does not answer, and one that answers too late', async () => {
    const nobody = new Recount({
      baseUrl: `http://127.0.0.1:${await freePort()}`,
      apiKey: 'a key',
      retryForMs: 0,
    });
    await expect(nobody.ping()).rejects.toThrow(/^GET \/api\/ping\/: connect ECONNREFUSED/);
    // A server of its own: a request that is given up may arrive later.
    const silent = createServer(() => undefined);
    const baseUrl = `http://127.0.0.1:${await listen(silent)}`;
    const hurried = client({ baseUrl, retryForMs: 0, timeoutMs: 50 });
    const error = await hurried.ping().catch((thrown: unknown) => thrown);
    silent.closeAllConnections();
    silent.close();
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: 'GET /api/ping/: no answer within 50 ms' });
  });
});

describe('queries of the TypeScript client', () => {
  it('repeat a parameter for each item, and send filters as one JSON text', async () => {
    handlers = [json(200, [])];
    await client()
      .listPlans({ include_tags: ['a', 'b'], duration: 'monthly' })
      .all();
    await client()
      .listSubscriptions({ subscription_filters: [{ property_name: 'region', value: 'eu' }] })
      .all();
    expect(received.map((request) => decodeURIComponent(request.url))).toEqual([
      '/api/plans/?include_tags=a&include_tags=b&duration=monthly',
      '/api/subscriptions/?subscription_filters=[{"property_name":"region","value":"eu"}]',
    ]);
  });

  it('go to the next page at the address of the first one, where links have a path before /api/', async () => {
    const next = 'https://example.com/billing/api/plans/?limit=1&cursor=a%2Bb';
    handlers = [json(200, [{}], { Link: `<${next}>; rel="next"` }), json(200, [{}])];
    const behindProxy = client({ baseUrl: `${url}/billing/` });
    expect(await behindProxy.listPlans({ limit: 1 }).all()).toHaveLength(2);
    expect(received.map((request) => request.url)).toEqual([
      '/billing/api/plans/?limit=1',
      '/billing/api/plans/?limit=1&cursor=a%2Bb',
    ]);
  });

  it('encode ids in paths', async () => {
    handlers = [json(200, {})];
    await client().getCustomer('a/b?c');
    expect(received[0]!.url).toBe('/api/customers/a%2Fb%3Fc/');
  });
});
