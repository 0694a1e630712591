import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, aComponentBody, aMetricBody, anAddonBody } from '../support/builders/catalog-bodies.js';

describe('add-ons of the catalog', () => {
  let app: TestApp;
  const post = (body: object) => app.request.post('/api/addons/').send(body);
  const metric = async (changes: object) =>
    (await app.request.post('/api/metrics/').send(aMetricBody(changes)).expect(201)).body;

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  it('are answered as they are read back and listed; with components they are usage_based', async () => {
    const { feature_id, ...feature } = (
      await app.request.post('/api/features/').send({ feature_name: 'sso' }).expect(201)
    ).body;
    const { metric_id } = await metric({ metric_name: 'exports' });
    const version = { components: [aComponentBody(metric_id)], features: [feature_id] };
    const { body: addon } = await post(anAddonBody('Exports', version)).expect(201);
    expect(addon).toMatchObject({
      addon_id: expect.stringMatching(/^addon_[0-9a-f]{32}$/),
      addon_name: 'Exports',
      addon_description: null,
      addon_type: 'usage_based',
      billing_frequency: 'one_time',
      versions: [
        {
          addon_version_id: expect.stringMatching(/^addon_version_[0-9a-f]{32}$/),
          addon_type: 'usage_based',
          billing_frequency: 'one_time',
          invoice_when: 'invoice_on_attach',
          currency: { code: 'USD' },
          recurring_charges: [{ name: 'platform fee', amount: 30, charge_timing: 'in_advance' }],
          components: [{ billable_metric: { metric_id } }],
          features: [{ feature_id, ...feature }],
          created_on: expect.any(String),
        },
      ],
    });
    const flat = (await post(anAddonBody('Flat')).expect(201)).body;
    expect(flat.addon_type).toBe('flat');
    expect((await app.request.get(`/api/addons/${addon.addon_id}/`).expect(200)).body).toEqual(addon);
    expect((await app.request.get('/api/addons/').expect(200)).body).toEqual([addon, flat]);
    const first = await app.request.get('/api/addons/?limit=1').expect(200);
    expect(first.body).toEqual([addon]);
    const [, next] = /<([^>]+)>/.exec(first.headers['link']!)!;
    expect((await app.request.get(next!.replace(app.url, '')).expect(200)).body).toEqual([flat]);
  });

  it('are checked as plans are: every wrong field is named', async () => {
    const { body } = await post({
      addon_name: '',
      initial_version: {
        currency_code: 'USD',
        invoice_when: 'sometimes',
        recurring_charges: [aChargeBody(), aChargeBody({ amount: -1 })],
        components: [aComponentBody('metric_'.padEnd(39, '0'))],
      },
    }).expect(400);
    expect(fieldErrorsOf(body)).toEqual({
      addon_name: 'blank',
      'initial_version.billing_frequency': 'required',
      'initial_version.invoice_when': 'invalid_choice',
      'initial_version.recurring_charges.1.amount': 'min_value',
      'initial_version.recurring_charges.1.name': 'invalid',
      'initial_version.components.0.metric_id': 'does_not_exist',
    });
  });

  it('have prepaid components only with units, as nobody is asked for them later', async () => {
    const { metric_id } = await metric({ metric_name: 'seats' });
    const prepaid = { components: [aComponentBody(metric_id, { prepaid_charge: { units: null } })] };
    const { body } = await post(anAddonBody('Seats', prepaid)).expect(400);
    expect(body.title).toBe('prepayment_cant_determine_units');
  });

  it('have a name of their own in a tenant, and are unknown to another', async () => {
    const { body: addon } = await post(anAddonBody('Taken')).expect(201);
    expect((await post(anAddonBody('Taken')).expect(400)).body).toMatchObject({
      title: 'duplicate_resource',
      detail: 'Another add-on has the name "Taken". Choose another name.',
    });
    const other = await anotherTenant(app);
    await other.request.get(`/api/addons/${addon.addon_id}/`).expect(404);
    await other.request.post('/api/addons/').send(anAddonBody('Taken')).expect(201);
    expect((await app.request.get('/api/addons/none/').expect(404)).body.title).toBe('not_found');
  });

  it('keep their metrics from being archived', async () => {
    const { metric_id } = await metric({ metric_name: 'kept' });
    await post(anAddonBody('Keeps', { components: [aComponentBody(metric_id)] })).expect(201);
    const { body } = await app.request.post(`/api/metrics/${metric_id}/archive/`).send({}).expect(400);
    expect(body.title).toBe('invalid_operation');
  });
});
