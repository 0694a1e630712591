import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ApiDocument, type OpenApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { operationsOf, type DocumentedOperation } from '../support/api-contract/document-index.js';
import { bodiesOf, bodySchema, filledPath, type Ids } from '../support/api-contract/samples.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { richTenant } from '../support/rich-tenant.js';
import { storedCounts } from '../support/stored.js';
import { forgetAnswer } from '../support/stored-idempotency-keys.js';

let app: TestApp;
let document: OpenApiDocument;
let ids: Ids;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-20T00:00:00Z' });
  document = JSON.parse(JSON.stringify(app.service.app.get(ApiDocument).get())) as OpenApiDocument;
  ids = await richTenant(app, 'etags');
});
afterAll(() => app.stop());

const get = (path: string) => app.request.get(path).expect(200);
const etagAt = async (path: string) => (await get(path)).headers['etag'] as string;
const rename = (etag: string, name: string) =>
  app.request
    .patch(`/api/customers/${ids['customer_id']}/`)
    .set('If-Match', etag)
    .send({ customer_name: name });

const takesIfMatch = ({ path, method }: DocumentedOperation): boolean =>
  JSON.stringify(document.paths[path]![method]!['parameters']).includes('#/components/parameters/If-Match');

describe('a resource', () => {
  it('shows the revision of its stream as its ETag, whichever it is', async () => {
    const resources = Object.entries({
      '/api/plans/': 'plan_id',
      '/api/addons/': 'addon_id',
      '/api/metrics/': 'metric_id',
      '/api/features/': 'feature_id',
      '/api/customers/': 'customer_id',
      '/api/subscriptions/': 'subscription_id',
      '/api/credits/': 'credit_id',
      '/api/invoices/': 'invoice_id',
      '/api/usage-alerts/': 'usage_alert_id',
    }).map(([path, name]) => `${path}${ids[name]}/`);
    for (const path of [...resources, '/api/organization/']) {
      const etag = await etagAt(path);
      expect({ path, etag }).toEqual({ path, etag: expect.stringMatching(/^"\d+"$/) });
      expect(await etagAt(path.slice(0, -1))).toBe(etag);
    }
    for (const path of ['/api/plans/', '/api/ping/', `/api/customers/${ids['customer_id']}/draft_invoice/`]) {
      expect((await get(path)).headers['etag']).toBeUndefined();
    }
  });

  it('has another ETag after a change, which the change answers', async () => {
    const path = `/api/customers/${ids['customer_id']}/`;
    const before = await etagAt(path);
    const changed = await rename(before, 'Another Name').expect(200);
    expect(changed.headers['etag']).not.toBe(before);
    expect(await etagAt(path)).toBe(changed.headers['etag']);
  });

  it('is shown no older than its ETag says, while others write', async () => {
    const path = `/api/plans/${ids['plan_id']}/`;
    const { body } = await app.request.post('/api/api_keys/').send({ name: 'reader', scope: 'read' });
    const reader = request.agent(app.url).set('X-API-KEY', body.key);
    let isWriting = true;
    const names = new Map<string, string>();
    const writing = (async () => {
      for (let n = 0; n < 25; n++) {
        const { headers } = await app.request
          .patch(path)
          .send({ plan_name: `Plan ${n}` })
          .expect(200);
        names.set(headers['etag']!, `Plan ${n}`);
      }
      isWriting = false;
    })();
    const seen: { etag: string; name: string }[] = [];
    while (isWriting) {
      const { headers, body: plan } = await reader.get(path).expect(200);
      seen.push({ etag: headers['etag']!, name: plan.plan_name });
    }
    await writing;
    const revisionOf = (name: string) => [...names].find(([, one]) => one === name)?.[0];
    const numberOf = (etag: string | undefined) => Number(etag?.slice(1, -1) ?? 0);
    for (const { etag, name } of seen) {
      if (names.has(etag)) expect(numberOf(revisionOf(name))).toBeGreaterThanOrEqual(numberOf(etag));
    }
  });
});

describe('If-Match', () => {
  it('that does not match is refused by every operation that takes it, with nothing done', async () => {
    const operations = operationsOf(document).filter(takesIfMatch);
    expect(operations.length).toBeGreaterThan(25);
    const before = await storedCounts(app);
    for (const operation of operations) {
      const schema = bodySchema(document, operation);
      const body = schema && bodiesOf(document, schema, ids, () => 'text')[0];
      const agent = app.request as unknown as Record<string, (path: string) => request.Test>;
      const asked = agent[operation.method]!(filledPath(operation.path, ids)).set('If-Match', '"99999"');
      const { status, body: problem } = await (body === undefined ? asked : asked.send(body as object));
      expect({ operation: operation.path, status, problem }).toEqual({
        operation: operation.path,
        status: 412,
        problem: {
          type: expect.stringMatching(/#client-error$/) as unknown,
          title: 'precondition_failed',
          detail: expect.any(String) as unknown,
          status: 412,
          instance: expect.any(String) as unknown,
        },
      });
      expect(await storedCounts(app)).toEqual(before);
    }
  });

  it('lets one of many writers through who have all seen the same', async () => {
    const etag = await etagAt(`/api/customers/${ids['customer_id']}/`);
    const answers = await Promise.all([...'abcdefghij'].map((name) => rename(etag, `Writer ${name}`)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(9).fill(412)]);
    const { body } = await get(`/api/customers/${ids['customer_id']}/`);
    expect(body.customer_name).toBe(answers.find(({ status }) => status === 200)!.body.customer_name);
  });

  it('names one tag, several, or any', async () => {
    const etag = await etagAt(`/api/customers/${ids['customer_id']}/`);
    const several = await rename(`"12345", ${etag}`, 'Several').expect(200);
    await rename('*', 'Any').expect(200);
    await rename(several.headers['etag']!, 'Stale').expect(412);
    await rename(`W/${await etagAt(`/api/customers/${ids['customer_id']}/`)}`, 'Weak').expect(412);
    for (const wrong of ['12', '"1', 'x', '"1",']) {
      const { body } = await rename(wrong, 'Wrong').expect(400);
      expect(body.validation_errors).toMatchObject([{ attr: 'If-Match', code: 'invalid' }]);
    }
  });

  it('of a version is held against its plan', async () => {
    const etag = await etagAt(`/api/plans/${ids['plan_id']}/`);
    const version = (ifMatch: string, name: string) =>
      app.request
        .patch(`/api/plan_versions/${ids['version_id']}/`)
        .set('If-Match', ifMatch)
        .send({ localized_name: name });
    const { headers } = await version(etag, 'Named').expect(200);
    await version(etag, 'Named again').expect(412);
    expect(await etagAt(`/api/plans/${ids['plan_id']}/`)).toBe(headers['etag']);
  });

  it('of a resource that does not exist changes nothing about that', async () => {
    await app.request.patch('/api/customers/nobody/').set('If-Match', '"1"').send({}).expect(404);
    await app.request.patch('/api/plans/plan_x/').set('If-Match', '*').send({}).expect(404);
  });

  it('fails for what has no ETag, unless any would do', async () => {
    const revoke = (etag: string) =>
      app.request.post(`/api/api_keys/${ids['prefix']}/revoke/`).set('If-Match', etag);
    await revoke('"1"').expect(412);
    await revoke('*').expect(200);
  });

  it('does not hinder the repeat of what it let through', async () => {
    const etag = await etagAt(`/api/credits/${ids['credit_id']}/`);
    const update = (ifMatch: string) =>
      app.request
        .post(`/api/credits/${ids['credit_id']}/update/`)
        .set('If-Match', ifMatch)
        .set('Idempotency-Key', 'once')
        .send({ description: 'Once' });
    await update('"99999"').expect(412);
    const first = await update(etag).expect(200);
    const second = await update(etag).expect(200);
    expect(second.body).toEqual(first.body);
  });

  it.each([
    ['credits', 'credit_id', 'update', { description: 'Died' }],
    ['subscriptions', 'subscription_id', 'cancel', {}],
  ])('does not hinder the repeat of a change of %s that died before it answered', async (...change) => {
    const [resources, id, action, body] = change;
    const path = `/api/${resources}/${ids[id]}/`;
    const etag = await etagAt(path);
    const send = () =>
      app.request
        .post(`${path}${action}/`)
        .set('If-Match', etag)
        .set('Idempotency-Key', `died-${action}`)
        .send(body);
    const first = await send().expect(200);
    const changed = await etagAt(path);
    await forgetAnswer(app, `died-${action}`);
    expect((await send().expect(200)).body).toEqual(first.body);
    expect(await etagAt(path)).toBe(changed);
    // Another change with the same tag is still refused.
    await app.request.post(`${path}${action}/`).set('If-Match', etag).send(body).expect(412);
    const key = `other-${action}`;
    await app.request
      .post(`${path}${action}/`)
      .set('If-Match', etag)
      .set('Idempotency-Key', key)
      .send(body)
      .expect(412);
  });
});
