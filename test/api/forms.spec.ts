import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody, aPlanBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';

let app: TestApp;
let shop: Shop;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-20T00:00:00Z' });
  shop = shopOf(app);
});
afterAll(() => app.stop());

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** Writes a body as fields of a form, with brackets for members and indexes. */
function fieldsOf(value: unknown, name = ''): Record<string, string> {
  if (typeof value !== 'object' || value === null) return { [name]: String(value) };
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, member]) => fieldsOf(member, name === '' ? key : `${name}[${key}]`)),
  ) as Record<string, string>;
}

const flat = (fields: Fields): [string, string][] =>
  Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );

const KINDS = [
  [
    'urlencoded',
    (path: string, fields: Fields) =>
      app.request
        .post(path)
        .type('form')
        .send(new URLSearchParams(flat(fields)).toString()),
  ],
  [
    'multipart',
    (path: string, fields: Fields) =>
      flat(fields).reduce((form, [name, value]) => form.field(name, value), app.request.post(path)),
  ],
] as const;

describe.each(KINDS)('a form that is %s', (kind, send) => {
  it('has nested fields', async () => {
    const { body } = await send('/api/customers/', {
      customer_id: kind,
      'address[country]': 'DE',
      'address[city]': 'Köln',
      'address[line1]': 'Straße 1',
      'address[postal_code]': '50667',
    }).expect(201);
    expect(body.address).toMatchObject({ country: 'DE', city: 'Köln', line1: 'Straße 1' });
  });

  it('has lists of objects, and free-form objects with any names', async () => {
    const planId = await shop.plan(`Filtered ${kind}`);
    const customerId = `filtered-${kind}`;
    await shop.customer(customerId);
    const { body } = await send('/api/subscriptions/', {
      customer_id: customerId,
      plan_id: planId,
      start_date: '2026-01-20',
      'subscription_filters[0][property_name]': 'region',
      'subscription_filters[0][value]': 'eu',
      'subscription_filters[1][property_name]': 'tier',
      'subscription_filters[1][value]': 'gold',
      'metadata[straße][0]': 'a',
      'metadata[__proto__][x]': 'b',
    }).expect(201);
    expect(body.subscription_filters).toEqual([
      { property_name: 'region', value: 'eu' },
      { property_name: 'tier', value: 'gold' },
    ]);
    expect(JSON.stringify(body.metadata)).toBe('{"straße":["a"],"__proto__":{"x":"b"}}');
  });

  it('has lists with and without indexes, and of one name given several times', async () => {
    const planId = await shop.plan(`Tagged ${kind}`);
    const tagsOf = async (fields: Fields) =>
      (await send(`/api/plans/${planId}/tags/set/`, fields).expect(200)).body.tags;
    expect(await tagsOf({ 'tags[]': 'a' })).toEqual(['a']);
    expect(await tagsOf({ 'tags[]': ['a', 'b'] })).toEqual(['a', 'b']);
    expect(await tagsOf({ 'tags[0]': 'c' })).toEqual(['c']);
    expect(await tagsOf({ 'tags[1]': 'd', 'tags[0]': 'c' })).toEqual(['c', 'd']);
    expect(await tagsOf({ 'tags[4]': 'e', 'tags[9]': 'f' })).toEqual(['e', 'f']);
    expect(await tagsOf({ tags: ['g', 'h'] })).toEqual(['g', 'h']);
  });

  it('has what JSON has, of a whole plan', async () => {
    const plan = aPlanBody(`Plan ${kind}`);
    const { body } = await send('/api/plans/', fieldsOf(plan)).expect(201);
    const json = await app.request
      .post('/api/plans/')
      .send({ ...plan, plan_name: `JSON ${kind}` })
      .expect(201);
    expect(Object.keys(body.versions[0])).toEqual(Object.keys(json.body.versions[0]));
    expect(body.versions[0].recurring_charges).toEqual(json.body.versions[0].recurring_charges);
  });

  it('has booleans in every spelling that a query takes', async () => {
    const planId = await shop.plan(`Flags ${kind}`);
    const renews = async (autoRenew: string, index: number) => {
      const customerId = `flags-${kind}-${index}`;
      await shop.customer(customerId);
      const fields = { customer_id: customerId, plan_id: planId, start_date: '2026-01-20' };
      const { body } = await send('/api/subscriptions/', { ...fields, auto_renew: autoRenew }).expect(201);
      return body.auto_renew as boolean;
    };
    const spellings = ['True', 'TRUE', 'true', '1', 'False', 'FALSE', 'false', '0'];
    const read = await Promise.all(spellings.map(renews));
    expect(read).toEqual([true, true, true, true, false, false, false, false]);
    const { body } = await send('/api/metrics/', { is_cost_metric: 'yes' }).expect(400);
    expect(body.validation_errors).toContainEqual({
      attr: 'is_cost_metric',
      code: 'invalid',
      detail: 'Give true or false.',
    });
  });

  it('has booleans inside the entries of lists', async () => {
    const components = [aComponentBody(await shop.metric({ metric_name: `calls ${kind}` }))];
    const fields = fieldsOf(aPlanBody(`Bulk ${kind}`, { components }));
    const name = 'initial_version[components][0][bulk_pricing_enabled]';
    const { body } = await send('/api/plans/', { ...fields, [name]: 'True' }).expect(201);
    expect(body.versions[0].components[0].bulk_pricing_enabled).toBe(true);
  });

  it('has a list of one entry under its bare name', async () => {
    const planId = await shop.plan(`Single ${kind}`);
    const { body: tagged } = await send(`/api/plans/${planId}/tags/set/`, { tags: 'x' }).expect(200);
    expect(tagged.tags).toEqual(['x']);
    const { body: found } = await send('/api/verify_idems_received/', { idempotency_ids: 'a' }).expect(200);
    expect(found.ids_not_found).toEqual(['a']);
    const { body: wrong } = await send(`/api/plans/${planId}/tags/add/`, { tags: 'a b' }).expect(400);
    expect(wrong.validation_errors).toMatchObject([{ attr: 'tags.0' }]);
  });

  it('names an unknown id of a list of one entry', async () => {
    const { body } = await send(`/api/plans/${await shop.plan(`Lost ${kind}`)}/features/add/`, {
      feature_id: 'feature_00000000000040008000000000000000',
      version_ids: 'nowhere',
      all_versions: 'perhaps',
    }).expect(400);
    expect(body.validation_errors).toMatchObject([
      { attr: 'all_versions', code: 'invalid' },
      { attr: 'feature_id', code: 'does_not_exist' },
      { attr: 'version_ids.0', code: 'does_not_exist' },
    ]);
  });

  it('clears with an empty value a field whose null has a meaning, unless it is text', async () => {
    const customerId = `cleared-${kind}`;
    await shop.customer(customerId);
    const { body: credit } = await app.request
      .post('/api/credits/')
      .send({ customer_id: customerId, amount: 1, currency_code: 'USD', expires_at: '2027-01-01' })
      .expect(201);
    const update = `/api/credits/${credit.credit_id}/update/`;
    const { body: kept } = await send(update, { description: '' }).expect(200);
    expect(kept).toMatchObject({ description: '', expires_at: '2027-01-01T00:00:00Z' });
    const { body: cleared } = await send(update, { expires_at: '' }).expect(200);
    expect(cleared).toMatchObject({ description: '', expires_at: null });
  });

  it('takes an empty choice as the default where null is it', async () => {
    const customerId = `default-fee-${kind}`;
    await shop.customer(customerId);
    const fields = { customer_id: customerId, plan_id: await shop.plan(`Default fee ${kind}`) };
    const { body } = await send('/api/subscriptions/', { ...fields, start_date: '2026-01-20' }).expect(201);
    const path = `/api/subscriptions/${body.subscription_id}/cancel/`;
    await send(path, { usage_behavior: '' }).expect(400);
    await send(path, { flat_fee_behavior: '' }).expect(200);
  });

  it('is refused with an index that is too large', async () => {
    const { body } = await send('/api/customers/', { customer_id: 'x', 'address[999999999]': '1' }).expect(
      400,
    );
    expect(body).toMatchObject({ title: 'parse_error', detail: expect.stringContaining('index') as unknown });
  });
});

describe('a body of JSON', () => {
  it('takes no other spelling of a boolean, no bare entry for a list, and no empty text for null', async () => {
    const { body } = await app.request
      .post('/api/metrics/')
      .send({ is_cost_metric: 'True', numeric_filters: 'x' })
      .expect(400);
    expect(body.validation_errors).toMatchObject(
      expect.arrayContaining([
        { attr: 'is_cost_metric', code: 'invalid', detail: 'Give true or false.' },
        { attr: 'numeric_filters', code: 'invalid', detail: 'This is not a list. Send a list.' },
      ]) as object,
    );
    await app.request.post('/api/verify_idems_received/').send({ idempotency_ids: 'a' }).expect(400);
    await app.request.patch('/api/organization/').send({ tax_rate: '' }).expect(400);
    await app.request.post('/api/metrics/').send({ is_cost_metric: 1 }).expect(400);
  });
});

describe('a multipart form', () => {
  it('with a file is refused, and a file that was not chosen is ignored', async () => {
    const post = () => app.request.post('/api/features/');
    const { body } = await post()
      .field('feature_name', 'F')
      .attach('f', Buffer.from('x'), 'x.txt')
      .expect(400);
    expect(body).toMatchObject({ title: 'parse_error', detail: expect.stringContaining('file') as unknown });
    await post()
      .type('multipart/form-data; boundary=b')
      .send(
        '--b\r\nContent-Disposition: form-data; name="f"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n' +
          '--b\r\nContent-Disposition: form-data; name="feature_name"\r\n\r\nWithout a file\r\n--b--\r\n',
      )
      .expect(201);
  });

  it('may be announced by a request that has no body', async () => {
    const type = 'multipart/form-data; boundary=b';
    await app.request.get('/api/features/').set('Content-Type', type).expect(200);
    const { body } = await app.request.post('/api/features/').set('Content-Type', type).expect(400);
    expect(body).toMatchObject({ title: 'required' });
  });

  it('without a boundary is refused', async () => {
    await app.request.post('/api/features/').type('multipart/form-data').send('--b--').expect(400);
  });
});
