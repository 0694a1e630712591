import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aPlanBody } from '../support/builders/catalog-bodies.js';
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

  it('is refused with an index that is too large', async () => {
    const { body } = await send('/api/customers/', { customer_id: 'x', 'address[999999999]': '1' }).expect(
      400,
    );
    expect(body).toMatchObject({ title: 'parse_error', detail: expect.stringContaining('index') as unknown });
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
