import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DomainError } from '../../src/kernel/errors.js';
import type { Policy } from '../../src/platform/eventsourcing/policies/policies.js';
import { ExecuteBulkChange, StartSuccessor } from '../../src/subscription/commands/subscription-policies.js';
import { BulkChangeExecutor } from '../../src/subscription/commands/bulk-change-executor.js';
import { OverlapReservations } from '../../src/subscription/overlap-reservations.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newCustomer, newPlan } from '../support/subscribers.js';
import { until } from '../support/until.js';

let app: TestApp;
let plan: string;
let other: string;
let stoodStillMs = 0;
beforeAll(async () => {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + stoodStillMs);
  app = await startTestApp({ clockStart: '2026-01-15T12:00:00Z' });
  plan = (await newPlan(app)).plan_id;
  other = (await newPlan(app)).plan_id;
});
afterAll(async () => {
  await app.stop();
  jest.restoreAllMocks();
});

const subscribe = (customer_id: string, changes: object = {}) =>
  app.request
    .post('/api/subscriptions/')
    .send({ customer_id, plan_id: plan, start_date: '2026-02-01', ...changes });
const post = (path: string, body: object) => app.request.post(`/api/subscriptions/${path}`).send(body);
const refused = async (customer: string, changes: object) =>
  expect((await subscribe(customer, changes).expect(400)).body.title).toBe('overlapping_plans');
const running = async (customer: string, of: string) =>
  (await app.request.get(`/api/subscriptions/?customer_id=${customer}&plan_id=${of}&status=active`)).body;
/** Makes every reservation older than the time for which a command may still run. */
const age = () => app.pool.query(`update placements set taken_at = now() - interval '2 minutes'`);
/** Makes the process stand still for two minutes: its clocks and the database go on. */
async function standStill() {
  stoodStillMs += 120_000;
  await age();
}

type Method = (...args: never[]) => Promise<unknown>;

/** Replaces a method until it is restored, as in a process that dies or waits at that moment. */
function replace<Name extends string, Method extends (...args: never[]) => Promise<unknown>>(
  object: { [Key in Name]: Method },
  name: Name,
  by: (original: Method) => Method,
): () => void {
  const original = object[name];
  object[name] = by(original.bind(object) as Method) as (typeof object)[Name];
  return () => (object[name] = original);
}
const dies = () => async () => {
  throw new DomainError('unavailable', 'The process died here.');
};

describe('a reservation', () => {
  it('of a term that is being renewed is not released before the next term has its own', async () => {
    const customer = await newCustomer(app);
    await subscribe(customer, { start_date: '2026-01-01' }).expect(201);
    await age();
    const reservations = app.service.app.get(OverlapReservations, { strict: false });
    const restore = replace(reservations, 'transfer', (transfer) => async (...passed) => {
      // The renewal is decided, and its process has not passed the reservation on.
      await refused(customer, { start_date: '2026-02-01' });
      await refused(customer, { start_date: '2026-02-10' });
      return transfer(...passed);
    });
    await app.advance('2026-02-01T00:00:00Z');
    restore();
    expect(await running(customer, plan)).toHaveLength(1);
    await refused(customer, { start_date: '2026-02-10' });
  });

  it('of a switch that a dead process has decided is kept until the new subscription begins', async () => {
    const customer = await newCustomer(app);
    const { body: first } = await subscribe(customer).expect(201);
    const restore = replace(app.service.app.get<Policy>(StartSuccessor), 'handle', dies);
    const to = { switch_plan_id: other };
    const { body: switched } = await post(`${first.subscription_id}/switch_plan/`, to).expect(200);
    await age();
    await refused(customer, { plan_id: other, start_date: '2026-02-20' });
    restore();
    await post(`${switched.subscription_id}/update/`, { metadata: { begun: true } }).expect(200);
    await refused(customer, { plan_id: other, start_date: '2026-02-20' });
    await subscribe(customer, { start_date: '2026-02-20' }).expect(201);
  });

  it('of a switch by filter that a dead process has accepted is kept until it is executed', async () => {
    const customer = await newCustomer(app);
    await subscribe(customer).expect(201);
    await running(customer, plan);
    const { app: nest } = app.service;
    const executor = nest.get(BulkChangeExecutor, { strict: false });
    const restored = [
      replace(nest.get<Policy>(ExecuteBulkChange), 'handle', dies),
      replace(executor, 'execute', dies),
    ];
    await post(`update/?customer_id=${customer}&plan_id=${plan}`, { replace_plan_id: other }).expect(503);
    await age();
    await refused(customer, { plan_id: other, start_date: '2026-03-20' });
    for (const restore of restored) restore();
    await until(async () => (await running(customer, other)).length === 1);
    await refused(customer, { plan_id: other, start_date: '2026-03-20' });
  });

  /** Runs work once, when the first request has reserved. @returns a function that ends this */
  function afterFirstReservation(
    work: () => Promise<void>,
    name: 'reserve' | 'reserveNew' = 'reserve',
  ): () => void {
    const reservations = app.service.app.get(OverlapReservations, { strict: false });
    let isFirst = true;
    const then =
      (reserve: (...asked: never[]) => Promise<unknown>) =>
      async (...asked: never[]) => {
        const reserved = await reserve(...asked);
        if (isFirst) {
          isFirst = false;
          await work();
        }
        return reserved;
      };
    return replace(reservations as Record<typeof name, Method>, name, then);
  }

  /** Lets a term end later, and another subscription take what follows, after a switch of the term has reserved. */
  const endMovesMeanwhile = (customer: string, first: string) =>
    afterFirstReservation(async () => {
      await post(`${first}/update/`, { end_date: '2026-04-01' }).expect(200);
      await subscribe(customer, { plan_id: other, auto_renew: false, start_date: '2026-03-15' }).expect(201);
    }, 'reserveNew');

  it('is taken again by a change whose end another change has freed meanwhile', async () => {
    const customer = await newCustomer(app);
    const start_date = '2026-02-10';
    const { body: first } = await subscribe(customer, { auto_renew: false }).expect(201);
    const endAt = (end_date: string) => post(`${first.subscription_id}/update/`, { end_date });
    const restore = afterFirstReservation(async () => {
      // The change has nothing to reserve, as it ends the term earlier. Another one frees more, and a third takes it.
      await endAt(start_date).expect(200);
      await subscribe(customer, { auto_renew: false, start_date }).expect(201);
    });
    const { body } = await endAt('2026-02-20').expect(400);
    restore();
    expect(body.title).toBe('overlapping_plans');
  });

  it('is taken again by a change by filter whose end another change has freed meanwhile', async () => {
    const customer = await newCustomer(app);
    const { body: first } = await subscribe(customer, { auto_renew: false }).expect(201);
    const restore = afterFirstReservation(async () => {
      await post(`${first.subscription_id}/update/`, { end_date: '2026-02-10' }).expect(200);
      await subscribe(customer, { auto_renew: false, start_date: '2026-02-15' }).expect(201);
    });
    const change = { end_date: '2026-02-20' };
    const { body: changed } = await post(`update/?customer_id=${customer}&plan_id=${plan}`, change);
    restore();
    expect(changed).toEqual([]);
    const { body: read } = await app.request.get(`/api/subscriptions/${first.subscription_id}/`);
    expect(read.end_date).toMatch(/^2026-02-(09|10)/);
  });

  it('of a switch by filter is taken again where another change has moved the end meanwhile', async () => {
    const customer = await newCustomer(app);
    const { body: first } = await subscribe(customer, { auto_renew: false }).expect(201);
    const restore = endMovesMeanwhile(customer, first.subscription_id);
    const change = { replace_plan_id: other };
    const { body: changed } = await post(`update/?customer_id=${customer}&plan_id=${plan}`, change);
    restore();
    expect(changed).toEqual([]);
    expect(await running(customer, plan)).toHaveLength(1);
    await subscribe(customer, { plan_id: other, auto_renew: false }).expect(201);
  });

  it('of a switch is taken again where another change has moved the end meanwhile', async () => {
    const customer = await newCustomer(app);
    const { body: first } = await subscribe(customer, { auto_renew: false }).expect(201);
    const restore = endMovesMeanwhile(customer, first.subscription_id);
    const { body } = await post(`${first.subscription_id}/switch_plan/`, { switch_plan_id: other });
    restore();
    expect(body.title).toBe('overlapping_plans');
    await subscribe(customer, { plan_id: other, auto_renew: false }).expect(201);
  });

  it.each([
    ['a creation', 'reserveNew', (customer: string) => subscribe(customer, { plan_id: other })],
    [
      'a switch',
      'reserveNew',
      (_: string, first: string) => post(`${first}/switch_plan/`, { switch_plan_id: other }),
    ],
    [
      'a later end',
      'reserve',
      (_: string, first: string) => post(`${first}/update/`, { end_date: '2026-04-01' }),
    ],
  ] as const)(
    'of %s is taken again where its process stood still and another subscription took it',
    async (...asked) => {
      const [, name, send] = asked;
      const customer = await newCustomer(app);
      const { body: first } = await subscribe(customer, { auto_renew: false }).expect(201);
      const restore = afterFirstReservation(async () => {
        await standStill();
        const taken = name === 'reserve' ? { start_date: '2026-03-10' } : { plan_id: other };
        await subscribe(customer, taken).expect(201);
      }, name);
      const { body } = await send(customer, first.subscription_id);
      restore();
      expect(body.title).toBe('overlapping_plans');
    },
  );

  it('follows a change that meets another one, where nobody has taken the time between', async () => {
    const customer = await newCustomer(app);
    const { body: first } = await subscribe(customer, { auto_renew: false }).expect(201);
    const endAt = (end_date: string) => post(`${first.subscription_id}/update/`, { end_date }).expect(200);
    const restore = afterFirstReservation(async () => void (await endAt('2026-02-10')));
    const { body } = await endAt('2026-02-20');
    restore();
    expect(body.end_date).toMatch(/^2026-02-(19|20)/);
    await refused(customer, { auto_renew: false, start_date: '2026-02-15' });
    await subscribe(customer, { auto_renew: false, start_date: '2026-02-21' }).expect(201);
  });
});
