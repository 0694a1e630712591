import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ApiDocument, type OpenApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { operationsOf, type DocumentedOperation } from '../support/api-contract/document-index.js';
import { filledPath, type Ids, type Json } from '../support/api-contract/samples.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { richTenant } from '../support/rich-tenant.js';

let app: TestApp;
let document: OpenApiDocument;
let ids: Ids;
let lists: readonly DocumentedOperation[];

/** Returns whether a parameter can be replaced by another: usage is listed by customer or by subscription. */
const isOneOfTwo = ({ path }: DocumentedOperation, { name }: Json): boolean =>
  path === '/api/usage/' && name === 'customer_id';

const parametersOf = ({ path, method }: DocumentedOperation) =>
  document.paths[path]![method]!['parameters'] as Json[];

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-20T00:00:00Z' });
  document = JSON.parse(JSON.stringify(app.service.app.get(ApiDocument).get())) as OpenApiDocument;
  const answersList = ({ path, method }: DocumentedOperation) => {
    const responses = document.paths[path]![method]!['responses'] as Record<string, Json>;
    const content = responses['200']?.['content'] as Record<string, { schema: Json }> | undefined;
    return method === 'get' && content?.['application/json']?.schema['type'] === 'array';
  };
  // The list of organizations requires the bootstrap key; organizations.spec.ts tests it.
  lists = operationsOf(document).filter((one) => answersList(one) && one.path !== '/api/organizations/');
  ids = await richTenant(app, 'lists');
  const { customer_id: customer, subscription_id: subscription } = ids;
  const post = (path: string, body: object) => app.request.post(path).send(body).expect(201);
  for (const n of [1, 2, 3]) {
    await post('/api/features/', { feature_name: `Feature ${n}` });
    await post('/api/customers/', { customer_id: `other-${n}` });
    await post('/api/credits/', { customer_id: customer, amount: n, currency_code: 'USD' });
    await post('/api/api_keys/', { name: `Key ${n}`, scope: 'read' });
    await post('/api/webhooks/', {
      name: `Webhook ${n}`,
      webhook_url: `https://hooks.example.com/${n}`,
      triggers: ['customer.created', 'subscription.renewed', 'invoice.created'],
    });
    await post('/api/metrics/', {
      metric_name: `Metric ${n}`,
      event_name: `event ${n}`,
      metric_type: 'counter',
      aggregation_type: 'count',
    });
    await post('/api/addons/', {
      addon_name: `Add-on ${n}`,
      initial_version: { currency_code: 'USD', billing_frequency: 'one_time' },
    });
    await post('/api/plans/', { plan_name: `Plan ${n}`, initial_version: { currency_code: 'USD' } });
  }
  await app.request
    .post(`/api/subscriptions/${subscription}/update/`)
    .send({ metadata: { a: 1 } })
    .expect(200);
  await app.advance('2026-04-02T00:00:00Z');
});
afterAll(() => app.stop());

describe('every list of the document', () => {
  it('takes a limit and a cursor', () => {
    expect(lists.length).toBeGreaterThanOrEqual(10);
    const unpaged = lists.filter((list) => !parametersOf(list).some(({ name }) => name === 'cursor'));
    expect(unpaged.map(({ path }) => path)).toEqual([]);
  });

  it('has by the default that the contract gives it, and at most 1,000, on a page', () => {
    const byDefault = Object.fromEntries(
      lists.map((list) => {
        const { schema } = parametersOf(list).find(({ name }) => name === 'limit') as { schema: Json };
        return [list.path, [schema['default'], schema['maximum']]];
      }),
    );
    for (const name of ['invoices', 'credits', 'customers', 'subscriptions']) {
      expect(byDefault[`/api/${name}/`]).toEqual([100, 1_000]);
    }
    expect(Object.values(byDefault).every(([, most]) => most === 1_000)).toBe(true);
  });

  it('is the same page by page, following the Link header, as at once', async () => {
    let paged = 0;
    const followed = async (first: string): Promise<unknown[]> => {
      const seen: unknown[] = [];
      let next: string | undefined = first;
      while (next !== undefined) {
        const page: request.Response = await request(next).get('').set('X-API-KEY', app.key).expect(200);
        expect((page.body as unknown[]).length).toBeLessThanOrEqual(2);
        seen.push(...(page.body as unknown[]));
        const link: string | undefined = page.headers['link'];
        if (link !== undefined) expect(link).toMatch(/^<http[^>]+>; rel="next"$/);
        next = link && /^<(.+)>/.exec(link)?.[1];
        if (next !== undefined) paged += 1;
      }
      return seen;
    };
    for (const list of lists) {
      const required = parametersOf(list)
        .filter((parameter) => parameter['required'] === true || isOneOfTwo(list, parameter))
        .map(({ name }) => `${String(name)}=${ids[String(name)]}&`)
        .join('');
      const path = `${filledPath(list.path, ids)}?${required}`;
      const atOnce = async () => {
        const { body, headers } = await app.request.get(path).expect(200);
        expect({ path, link: headers['link'] }).toEqual({ path, link: undefined });
        return body as unknown;
      };
      // Webhook deliveries are added and sent during the test: read a list again if it changed between its pages.
      let before: unknown, seen: unknown[], after: unknown;
      do {
        before = await atOnce();
        seen = await followed(`${app.url}${path}limit=2`);
        after = await atOnce();
      } while (!isDeepStrictEqual(before, after));
      expect({ path, seen }).toEqual({ path, seen: after });
    }
    expect(paged).toBeGreaterThan(lists.length);
  });
});
