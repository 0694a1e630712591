import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountId } from '../../src/billing/decider/domain/account.js';
import { customerKeyOf, derivedId, namedId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { streamName } from '../../src/kernel/event.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';
import { until } from '../support/until.js';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const grant = (body: object) =>
  app.request.post('/api/credits/').send({ amount: 5, currency_code: 'USD', ...body });
const listed = async (customer: string) =>
  (await app.request.get(`/api/credits/?customer_id=${customer}`).expect(200)).body;
const eventsOf = async (customer: string) => {
  const stream = streamName('account', app.org, accountId(customerKeyOf(app.org, customer), 'USD'));
  const events = [];
  for await (const event of app.service.app.get<EventStore>(EVENT_STORE).readStream(stream))
    events.push(event);
  return { stream, events };
};

describe('the description of a credit', () => {
  it('is shown as it was given and changed, and stored sealed', async () => {
    await shopOf(app).customer('ola');
    const { body } = await grant({ customer_id: 'ola', description: 'For Ola 🎈' }).expect(201);
    expect(body.description).toBe('For Ola 🎈');
    const change = (description: string) =>
      app.request.post(`/api/credits/${body.credit_id}/update/`).send({ description }).expect(200);
    expect((await change('Still for Ola')).body.description).toBe('Still for Ola');
    expect(await listed('ola')).toMatchObject([{ description: 'Still for Ola' }]);
    const one = await app.request.get(`/api/credits/${body.credit_id}/`).expect(200);
    expect(one.body.description).toBe('Still for Ola');
    expect(JSON.stringify((await eventsOf('ola')).events.map(({ data }) => data))).not.toContain('Ola');
  });

  it('said again changes nothing; an empty one and none are two things', async () => {
    await shopOf(app).customer('once');
    const { body } = await grant({ customer_id: 'once', description: 'x' }).expect(201);
    const change = (description: string) =>
      app.request.post(`/api/credits/${body.credit_id}/update/`).send({ description }).expect(200);
    const before = (await eventsOf('once')).events.length;
    await change('x');
    expect((await eventsOf('once')).events).toHaveLength(before);
    expect((await change('')).body.description).toBe('');
    expect((await eventsOf('once')).events).toHaveLength(before + 1);
    expect((await grant({ customer_id: 'once' }).expect(201)).body.description).toBeNull();
  });

  it('is gone after an erasure, from recorded answers too, and no new one is taken', async () => {
    await shopOf(app).customer('gone');
    const once = () =>
      grant({ customer_id: 'gone', description: 'For the gone' }).set('Idempotency-Key', 'gone');
    const { body } = await once().expect(201);
    await app.request.post('/api/customers/gone/erase/').expect(200);
    const [shown] = await until(async () => {
      const credits = await listed('gone');
      return credits[0].customer.customer_id === null && credits;
    });
    expect(shown).toMatchObject({ credit_id: body.credit_id, description: null });
    const repeated = await once().expect(201);
    expect(repeated.body).toEqual({
      ...body,
      customer: { customer_id: null, customer_name: null, email: null },
      description: null,
    });
    const update = app.request.post(`/api/credits/${body.credit_id}/update/`).send({ description: 'back' });
    expect((await update.expect(400)).body.title).toBe('invalid_state');
    await app.request
      .post(`/api/credits/${body.credit_id}/update/`)
      .send({ expires_at: '2027-01-01T00:00:00Z' })
      .expect(200);
  });

  it('that an earlier release stored in the open is shown, and not after an erasure', async () => {
    await shopOf(app).customer('before');
    await grant({ customer_id: 'before' }).expect(201);
    const { stream, events } = await eventsOf('before');
    const [granted] = events;
    const creditId = namedId('granted in the open');
    const id = derivedId(creditId, 'granted');
    const data = { ...granted!.data, creditId, description: 'In the open' };
    const metadata = { ...granted!.metadata, commandId: id, recordedAt: instant('2026-01-01') };
    const store = app.service.app.get<EventStore>(EVENT_STORE);
    await store.append(stream, granted!.revision, [{ id, type: 'CreditGranted', data, metadata }]);
    const shown = await until(async () => {
      const credits = (await listed('before')) as { description: string | null }[];
      return credits.length === 2 && credits.map(({ description }) => description);
    });
    expect(shown.toSorted()).toEqual(['In the open', null].toSorted());
    await app.request.post('/api/customers/before/erase/').expect(200);
    const after = await until(async () => {
      const credits = (await listed('before')) as { customer: object; description: string | null }[];
      return (
        credits.every(({ customer }) => 'customer_id' in customer && customer.customer_id === null) && credits
      );
    });
    expect(after.map(({ description }) => description)).toEqual([null, null]);
  });
});
