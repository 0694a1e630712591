import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldErrorsOf } from '../support/answers.js';
import { BOOTSTRAP_KEY, startTestApp, type TestApp } from '../support/app.js';
import { aPlanBody, anAddonBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
  await shopOf(app).customer('acme');
});
afterAll(() => app.stop());

describe('an unknown currency code', () => {
  const credit = { customer_id: 'acme', amount: 1, currency_code: 'ZZZ' };
  const paid = { ...credit, amount_paid: 1, amount_paid_currency_code: 'ZZZ' };
  const code = { currency_code: 'ZZZ' };
  const own = { default_currency_code: 'ZZZ' };

  it('does not exist for a query and a credit', async () => {
    const { body } = await app.request.post('/api/credits/').send(paid).expect(400);
    expect(fieldErrorsOf(body)).toEqual({
      currency_code: 'does_not_exist',
      amount_paid_currency_code: 'does_not_exist',
    });
    for (const [path, name] of [
      ['invoices', 'currency_code'],
      ['plans', 'version_currency_code'],
    ]) {
      const refused = (await app.request.get(`/api/${path}/?${name}=ZZZ`).expect(400)).body;
      expect(fieldErrorsOf(refused)).toEqual({ [name!]: 'does_not_exist' });
    }
  });

  it('is no choice for a plan, a plan version and an add-on, a customer and an organization', async () => {
    const plan = await shopOf(app).plan('Fee');
    const api = app.request;
    const asked = [
      await api.post('/api/plans/').send(aPlanBody('Other', code)).expect(400),
      await api
        .post('/api/plan_versions/')
        .send({ ...code, plan_id: plan })
        .expect(400),
      await api.post('/api/addons/').send(anAddonBody('Extra', code)).expect(400),
      await api
        .post('/api/customers/')
        .send({ ...own, customer_id: 'globex' })
        .expect(400),
      await api.patch('/api/customers/acme/').send(own).expect(400),
      await api.patch('/api/organization/').send(own).expect(400),
      await api
        .post('/api/organizations/')
        .set('X-API-KEY', BOOTSTRAP_KEY)
        .send({ ...own, organization_name: 'O' })
        .expect(400),
    ];
    expect(asked.map(({ body }) => fieldErrorsOf(body))).toEqual([
      { 'initial_version.currency_code': 'invalid_choice' },
      { currency_code: 'invalid_choice' },
      { 'initial_version.currency_code': 'invalid_choice' },
      { default_currency_code: 'invalid_choice' },
      { default_currency_code: 'invalid_choice' },
      { default_currency_code: 'invalid_choice' },
      { default_currency_code: 'invalid_choice' },
    ]);
  });
});
