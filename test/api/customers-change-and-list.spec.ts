import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Response } from 'supertest';
import { ReleaseFormerEmail } from '../../src/customer/commands/email-claims.js';
import { streamName } from '../../src/kernel/event.js';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { Claims } from '../../src/platform/eventsourcing/claims/claims.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { fieldErrorsOf, pagesOf } from '../support/answers.js';
import { until } from '../support/until.js';
import { startTestApp, type TestApp } from '../support/app.js';

interface Shown {
  readonly customer_id: string;
}

let app: TestApp;
let counter = 0;
const newId = () => `customer-${(counter += 1)}`;

const create = (body: object) => app.request.post('/api/customers/').send(body);
const get = (customerId: string) => app.request.get(`/api/customers/${encodeURIComponent(customerId)}/`);
const patch = (customerId: string, body: object) =>
  app.request.patch(`/api/customers/${encodeURIComponent(customerId)}/`).send(body);

let stoodStillMs = 0;

beforeAll(async () => {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + stoodStillMs);
  app = await startTestApp();
});
afterAll(async () => {
  await app.stop();
  jest.restoreAllMocks();
});

describe('PATCH /api/customers/{customer_id}/', () => {
  it('changes what is named, clears what is null, and GET shows it at once', async () => {
    const customer_id = newId();
    const { body: before } = await create({
      customer_id,
      customer_name: 'Before',
      email: `${customer_id}@example.com`,
      address: { city: 'Oslo' },
      tax_rate: 25,
      properties: { a: 1 },
    }).expect(201);
    const change = { customer_name: 'After', tax_rate: null, timezone: 'Europe/Oslo', properties: { b: 2 } };
    const { body } = await patch(customer_id, change).expect(200);
    expect(body).toEqual({ ...before, ...change });
    expect((await get(customer_id)).body).toEqual(body);
    const cleared = await patch(customer_id, { email: null, address: null, customer_name: null }).expect(200);
    expect(cleared.body).toMatchObject({ email: null, billing_address: null, customer_name: null });
  });

  it('an empty change and an unchanged one are fine, and the customer_id stays', async () => {
    const customer_id = newId();
    const { body: before } = await create({ customer_id, tax_rate: 5 }).expect(201);
    expect((await patch(customer_id, {}).expect(200)).body).toEqual(before);
    expect((await patch(customer_id, { tax_rate: 5, customer_id: 'other' }).expect(200)).body).toEqual(
      before,
    );
    await get('other').expect(404);
  });

  it("another's e-mail address is refused, and the former one is free", async () => {
    const [one, two, three] = [newId(), newId(), newId()];
    await create({ customer_id: one, email: `${one}@example.com` }).expect(201);
    await create({ customer_id: two, email: `${two}@example.com` }).expect(201);
    const refused = await patch(two, { email: `${one}@example.com` }).expect(400);
    expect(refused.body.title).toBe('duplicate_resource');
    await patch(one, { email: `new-${one}@example.com` }).expect(200);
    await create({ customer_id: three, email: `${one}@example.com` }).expect(201);
    await patch(one, { email: `${one}@example.com` }).expect(400);
  });

  it('is not given a former address again by a policy that runs a second time while it is changed', async () => {
    const customer_id = newId();
    const [email, other] = [`${customer_id}@example.com`, `other-${customer_id}@example.com`];
    await create({ customer_id, email }).expect(201);
    await patch(customer_id, { email: other }).expect(200);
    const claims = app.service.app.get(Claims, { strict: false });
    const restore = claims.restore.bind(claims);
    jest.spyOn(claims, 'restore').mockImplementationOnce(async (...args) => {
      await patch(customer_id, { email: `third-${customer_id}@example.com` }).expect(200);
      return restore(...args);
    });
    const release = app.service.app.get(ReleaseFormerEmail, { strict: false });
    const stream = streamName('customer', app.org, customerKeyOf(app.org, customer_id));
    const change = { from: 1n, limit: 1 };
    for await (const event of app.service.app.get<EventStore>(EVENT_STORE).readStream(stream, change))
      await release.handle(event);
    for (const free of [email, other]) await create({ customer_id: newId(), email: free }).expect(201);
  });

  it('leaves an address to others after a refused change to it, or one that died before it was recorded', async () => {
    const [one, two, three] = [newId(), newId(), newId()];
    await create({ customer_id: one, email: `${one}@example.com` }).expect(201);
    await patch(one, { email: 'refused@example.com' }).set('If-Match', '"7"').expect(412);
    await create({ customer_id: two, email: 'refused@example.com' }).expect(201);
    // The claim of the former address stays as if the change from it had not been recorded.
    // A rule would stay in the statements that connections have prepared meanwhile.
    await app.pool.query(
      `create function kept() returns trigger language plpgsql as 'begin return null; end';
       create trigger kept before delete on claims for each row execute function kept()`,
    );
    await patch(two, { email: `${two}@example.com` }).expect(200);
    await app.pool.query('drop trigger kept on claims; drop function kept');
    await create({ customer_id: three, email: 'refused@example.com' }).expect(400);
    await app.pool.query(`update claims set taken_at = now() - interval '2 minutes'`);
    await create({ customer_id: three, email: 'refused@example.com' }).expect(201);
    for (const email of [`${one}@example.com`, `${two}@example.com`, 'refused@example.com'])
      await create({ customer_id: newId(), email }).expect(400);
  });

  it('keeps an address from others while the details of its customer do not open', async () => {
    const [customer_id, other] = [newId(), newId()];
    const email = `${customer_id}@example.com`;
    await create({ customer_id, email }).expect(201);
    await create({ customer_id: other }).expect(201);
    await app.pool.query(`update claims set taken_at = now() - interval '2 minutes'`);
    const setKey = async (wrapped: Buffer | undefined) => {
      const { rows } = await app.pool.query<{ former: Buffer }>(
        `update customer_keys k set wrapped_key = coalesce($3, sha256(k.wrapped_key)) from customer_keys f
          where f.org = k.org and f.customer_key = k.customer_key and k.org = $1 and k.customer_key = $2
          returning f.wrapped_key as former`,
        [app.org, customerKeyOf(app.org, customer_id), wrapped],
      );
      return rows[0]!.former;
    };
    const key = await setKey(undefined);
    for (const { body } of [
      await create({ customer_id: newId(), email }).expect(400),
      await patch(other, { email }).expect(400),
    ])
      expect(body.title).toBe('duplicate_resource');
    await setKey(key);
    expect((await get(customer_id)).body).toMatchObject({ email });
  });

  it('keeps an address that it takes back while the policy of its last change releases it', async () => {
    const customer_id = newId();
    const [email, other] = [`${customer_id}@example.com`, `other-${customer_id}@example.com`];
    await create({ customer_id, email }).expect(201);
    await patch(customer_id, { email: other }).expect(200);
    const store = app.service.app.get<EventStore>(EVENT_STORE);
    const stream = streamName('customer', app.org, customerKeyOf(app.org, customer_id));
    const append = store.append.bind(store);
    jest.spyOn(store, 'append').mockImplementationOnce(async (...args) => {
      const release = app.service.app.get(ReleaseFormerEmail, { strict: false });
      for await (const change of store.readStream(stream, { from: 1n })) await release.handle(change);
      return append(...args);
    });
    await patch(customer_id, { email }).expect(200);
    await create({ customer_id: newId(), email }).expect(400);
    await until(async () => (await create({ customer_id: newId(), email: other })).status === 201);
  });

  it('leaves an address to another customer that took it while the process of a request stood still', async () => {
    const claims = app.service.app.get(Claims, { strict: false });
    const take = claims.take.bind(claims);
    const takenFrom = async (email: string, send: () => PromiseLike<Response>) => {
      const spied = jest.spyOn(claims, 'take').mockImplementationOnce(async (...args) => {
        const taken = await take(...args);
        stoodStillMs += 120_000;
        await app.pool.query(`update claims set taken_at = now() - interval '2 minutes'`);
        await create({ customer_id: newId(), email }).expect(201);
        return taken;
      });
      const { body } = await send();
      spied.mockRestore();
      return body.title;
    };
    const customer_id = newId();
    expect(await takenFrom('a@held.example', () => create({ customer_id, email: 'a@held.example' }))).toBe(
      'conflict',
    );
    await create({ customer_id }).expect(201);
    expect(await takenFrom('b@held.example', () => patch(customer_id, { email: 'b@held.example' }))).toBe(
      'duplicate_resource',
    );
  });

  it('changes at once all hold', async () => {
    const customer_id = newId();
    await create({ customer_id }).expect(201);
    const answers = await Promise.all([
      patch(customer_id, { customer_name: 'Zofia' }),
      patch(customer_id, { tax_rate: 8 }),
      patch(customer_id, { timezone: 'Asia/Tokyo' }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect((await get(customer_id)).body).toMatchObject({
      customer_name: 'Zofia',
      tax_rate: 8,
      timezone: 'Asia/Tokyo',
    });
  });

  it('wrong fields are named and nothing changes; nobody unknown is changed', async () => {
    const customer_id = newId();
    const { body: before } = await create({ customer_id }).expect(201);
    const { body } = await patch(customer_id, { tax_rate: -1, email: 'x', timezone: 3 }).expect(400);
    expect(fieldErrorsOf(body)).toEqual({
      tax_rate: 'min_value',
      email: 'invalid',
      timezone: 'invalid_choice',
    });
    expect((await get(customer_id)).body).toEqual(before);
    expect((await patch('nobody', { tax_rate: 1 }).expect(404)).body.title).toBe('not_found');
  });
});

describe('GET /api/customers/', () => {
  it('pages through every customer once, the newest first', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n++) {
      const customer_id = newId();
      await create({ customer_id }).expect(201);
      made.push(customer_id);
    }
    const { body: all } = await app.request.get('/api/customers/?limit=1000').expect(200);
    const pages = await pagesOf<Shown>(app.request, '/api/customers/?limit=2');
    expect(pages.every((page) => page.length <= 2)).toBe(true);
    const seen = pages.flat().map((customer) => customer.customer_id);
    expect(seen).toEqual((all as Shown[]).map((customer) => customer.customer_id));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(made));
  });

  it('finds a customer by its e-mail address, in any case, and the former address finds nobody', async () => {
    const [customer_id, other] = [newId(), newId()];
    await create({ customer_id, email: 'Ada@Example.com' }).expect(201);
    await create({ customer_id: other }).expect(201);
    const foundBy = async (email: string): Promise<string[]> => {
      const { body } = await app.request
        .get(`/api/customers/?email=${encodeURIComponent(email)}`)
        .expect(200);
      return (body as Shown[]).map((customer) => customer.customer_id);
    };
    expect(await foundBy('ada@example.com')).toEqual([customer_id]);
    expect(await foundBy('ADA@EXAMPLE.COM')).toEqual([customer_id]);
    expect(await foundBy('ada@example')).toEqual([]);
    await patch(customer_id, { email: 'lovelace@example.com' }).expect(200);
    expect([await foundBy('ada@example.com'), await foundBy('lovelace@example.com')]).toEqual([
      [],
      [customer_id],
    ]);
    await app.request.post(`/api/customers/${customer_id}/erase/`).expect(200);
    expect(await foundBy('lovelace@example.com')).toEqual([]);
  });

  it.each(['limit=0', 'limit=1001', 'limit=many', 'cursor=nonsense', 'cursor=%00'])(
    'refuses ?%s',
    async (query) => {
      const { body } = await app.request.get(`/api/customers/?${query}`).expect(400);
      expect(Object.keys(fieldErrorsOf(body))).toEqual([query.split('=')[0]]);
    },
  );

  it('an unknown customer_id is not found', async () => {
    expect((await get('nobody').expect(404)).body.title).toBe('not_found');
  });
});
