import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ApiDocument } from '../../src/platform/http/openapi/api-document.js';
import { allOperations, type Operation } from '../support/api-contract/operation.js';
import { BOOTSTRAP_KEY, startTestApp, type TestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';

let app: TestApp;
let operations: Operation[];

beforeAll(async () => {
  app = await startTestApp();
  operations = allOperations(app.service.app.get(ApiDocument).get());
});
afterAll(() => app.stop());

/** Returns the path of an operation with a text in place of each id. */
const pathOf = (operation: Operation) => operation.operation.path.replace(/\{\w+\}/g, 'some-id');

const send = (operation: Operation, query: string) => {
  const verb = operation.operation.method as 'get' | 'post' | 'patch' | 'delete';
  const key = operation.isBootstrap ? BOOTSTRAP_KEY : app.key;
  return request(app.url)
    [verb](`${pathOf(operation)}?${query}`)
    .set('X-API-KEY', key);
};

type FieldErrors = readonly { readonly attr: string; readonly detail: string; readonly code: string }[];
const errorsOf = ({ body }: request.Response): FieldErrors => body.validation_errors ?? [];

describe('every operation', () => {
  it('refuses a query parameter that it does not have, and names it', async () => {
    for (const operation of operations) {
      const answer = await send(operation, 'custmer_id=acme');
      expect({ operation: operation.name, status: answer.status, errors: errorsOf(answer) }).toEqual({
        operation: operation.name,
        status: 400,
        errors: expect.arrayContaining([
          { code: 'invalid', attr: 'custmer_id', detail: expect.stringMatching(/no query parameter/) },
        ]),
      });
    }
  });

  it('refuses a GET with a body', async () => {
    for (const operation of operations.filter(({ operation: { method } }) => method === 'get')) {
      const answer = await send(operation, '').send({ customer_id: 'acme' });
      expect({ operation: operation.name, status: answer.status, errors: errorsOf(answer) }).toEqual({
        operation: operation.name,
        status: 400,
        errors: expect.arrayContaining([
          { code: 'invalid', attr: 'non_field_errors', detail: expect.stringMatching(/^A GET has no body/) },
        ]),
      });
    }
  });

  it('knows each of its own parameters in every spelling of the contract', async () => {
    const spellings = ['', '[]', '[0]', '[0][property_name]', '[0].property_name', '[0]property_name'];
    for (const operation of operations) {
      const sent = operation
        .queryNames()
        .flatMap((name) => spellings.map((spelling) => `${encodeURIComponent(name + spelling)}=x`));
      const answer = await send(operation, [...sent, 'misspelt=1'].join('&'));
      expect(errorsOf(answer).filter(({ detail }) => /no query parameter/.test(detail))).toEqual([
        expect.objectContaining({ attr: 'misspelt' }),
      ]);
    }
  });
});

describe('a misspelt parameter', () => {
  it('never answers everybody: the nearest name is told', async () => {
    const shop = shopOf(app);
    await shop.customer('acme');
    for (const [sent, meant] of [
      ['custmer_id', 'customer_id'],
      ['customerId', 'customer_id'],
      ['Customer_ID', 'customer_id'],
      ['customer.id', 'customer_id'],
      ['payment-status', 'payment_status'],
      ['limits', 'limit'],
    ]) {
      const answer = await app.request.get(`/api/invoices/?${sent}=acme`).expect(400);
      expect(errorsOf(answer)).toEqual([
        {
          code: 'invalid',
          attr: sent,
          detail: `This operation has no query parameter with this name. Did you mean ${meant}?`,
        },
      ]);
    }
  });

  it('is told once, beside the wrong values of the others', async () => {
    const answer = await app.request.get('/api/invoices/?xyz[]=1&xyz[]=2&limit=0&status=lost').expect(400);
    expect(errorsOf(answer).map(({ attr, code }) => [attr, code])).toEqual([
      ['xyz', 'invalid'],
      ['status', 'invalid_choice'],
      ['limit', 'min_value'],
    ]);
    expect(answer.body.detail).toContain('It takes customer_id, status, payment_status');
  });

  it('leads nowhere where an operation takes no parameters', async () => {
    const answer = await app.request.get('/api/openapi.json?customer_id=acme').expect(400);
    expect(answer.body.detail).toMatch(/ It takes none\.$/);
  });

  it('changes nothing when it is sent with a command', async () => {
    await app.request.post('/api/features/?dry_run=true').send({ feature_name: 'F' }).expect(400);
    expect((await app.request.get('/api/features/').expect(200)).body).toEqual([]);
  });
});

describe("a parameter of the path, as Lotus's clients repeat it in the query", () => {
  it('is taken with the value of the path, and with no other', async () => {
    const plan = await shopOf(app).plan('Basic');
    await app.request.get(`/api/plans/${plan}/?plan_id=${plan}`).expect(200);
    const answer = await app.request.get(`/api/plans/${plan}/?plan_id=other`).expect(400);
    expect(errorsOf(answer)).toMatchObject([{ attr: 'plan_id' }]);
  });
});
