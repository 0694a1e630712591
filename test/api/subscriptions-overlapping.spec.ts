import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OverlapReservations } from '../../src/subscription/overlap-reservations.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newCustomer, newPlan, type PlanAnswer } from '../support/subscribers.js';

const NOW = '2026-01-15T12:00:00Z';
let app: TestApp;
let monthly: PlanAnswer;

const subscribe = (body: object) => app.request.post('/api/subscriptions/').send(body);
const list = (query: string) => app.request.get(`/api/subscriptions/?${query}`);

beforeAll(async () => {
  app = await startTestApp({ clockStart: NOW });
  monthly = await newPlan(app);
});
afterAll(() => app.stop());

describe('overlapping plans', () => {
  const asked = (customer_id: string, changes: object = {}) =>
    subscribe({ customer_id, plan_id: monthly.plan_id, start_date: '2026-01-01', ...changes });
  const eu = { subscription_filters: [{ property_name: 'region', value: 'eu' }] };
  const us = { subscription_filters: [{ property_name: 'region', value: 'us' }] };

  it('the same version at the same time is refused, also long after a term that renews itself', async () => {
    const customer = await newCustomer(app);
    await asked(customer).expect(201);
    for (const start_date of ['2026-01-01', '2026-01-20', '2031-01-01', '2025-12-31T23:59:59Z']) {
      const { body } = await asked(customer, { start_date }).expect(400);
      expect(body.title).toBe('overlapping_plans');
    }
    expect((await list(`customer_id=${customer}`)).body).toHaveLength(1);
  });

  it('a term that was cancelled before it began is in nobody’s way', async () => {
    const customer = await newCustomer(app);
    const { body: future } = await asked(customer, { start_date: '2026-03-01' }).expect(201);
    await app.request.post(`/api/subscriptions/${future.subscription_id}/cancel/`).send({}).expect(200);
    await asked(customer).expect(201);
  });

  it('one after the other, other filters, another version and another customer are fine', async () => {
    const customer = await newCustomer(app);
    await asked(customer, { auto_renew: false }).expect(201);
    await asked(customer, { start_date: '2026-02-01', ...eu }).expect(201);
    await asked(customer, { start_date: '2026-02-01', ...us }).expect(201);
    await asked(customer, { plan_id: (await newPlan(app)).plan_id }).expect(201);
    await asked(await newCustomer(app)).expect(201);
    const { body } = await asked(customer, { start_date: '2026-02-01' }).expect(400);
    expect(body.title).toBe('overlapping_plans');
  });

  it('of many at once one is made', async () => {
    const customer = await newCustomer(app);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => asked(customer)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 400, 400, 400, 400]);
    expect((await list(`customer_id=${customer}`)).body).toHaveLength(1);
  });

  it('a reservation whose subscription was never started is released after a minute', async () => {
    const customer = await newCustomer(app);
    const { body: first } = await asked(customer).expect(201);
    const place = (sql: string) => app.pool.query(sql, [uuidOf(first.subscription_id)]);
    await place(`update placements set taken_at = now() - interval '2 minutes' where subscription_id = $1`);
    await asked(customer).expect(400);
    // Simulates a process that dies between claim and append: the reservation names a subscription that does not exist.
    await place(`update placements set subscription_id = gen_random_uuid() where subscription_id = $1`);
    await asked(customer).expect(201);
  });

  it('a new reservation without a subscription is not released yet', async () => {
    const customer = await newCustomer(app);
    const { body: first } = await asked(customer).expect(201);
    await app.pool.query(
      'update placements set subscription_id = gen_random_uuid() where subscription_id = $1',
      [uuidOf(first.subscription_id)],
    );
    const { body } = await asked(customer).expect(400);
    expect(body.title).toBe('overlapping_plans');
  });

  it('of two changes of an end at once, the reservation follows the later one', async () => {
    const customer = await newCustomer(app);
    const { body: first } = await asked(customer, { auto_renew: false }).expect(201);
    const endAt = (end_date: string) =>
      app.request.post(`/api/subscriptions/${first.subscription_id}/update/`).send({ end_date }).expect(200);
    const reservations = app.service.app.get(OverlapReservations, { strict: false });
    const update = reservations.update.bind(reservations);
    let later: Promise<unknown> | undefined;
    reservations.update = async (...asked) => {
      // The first change has read the term, and the second one comes before it writes.
      if (!later) await (later = endAt('2026-01-30').then());
      return update(...asked);
    };
    await endAt('2026-01-20');
    reservations.update = update;
    await asked(customer, { start_date: '2026-01-25', auto_renew: false }).expect(400);
    await asked(customer, { start_date: '2026-01-30', auto_renew: false }).expect(201);
  });

  it('a reservation that a change lengthened and did not reach is that of its subscription after a minute', async () => {
    const customer = await newCustomer(app);
    const { body: first } = await asked(customer, { auto_renew: false }).expect(201);
    const place = (sql: string) => app.pool.query(sql, [uuidOf(first.subscription_id)]);
    // Simulates a change of the end that reserved and then died, or met a cancellation.
    await place(`update placements set end_at = '2026-06-01', taken_at = now() where subscription_id = $1`);
    await asked(customer, { start_date: '2026-02-01' }).expect(400);
    await place(`update placements set taken_at = now() - interval '2 minutes' where subscription_id = $1`);
    await asked(customer, { start_date: '2026-01-31' }).expect(400);
    await asked(customer, { start_date: '2026-02-01' }).expect(201);
  });
});

const uuidOf = (wireId: string): string =>
  wireId.replace(/^sub_(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
