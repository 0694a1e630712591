import { afterAll, beforeAll, expect } from '@jest/globals';
import type TestAgent from 'supertest/lib/agent.js';
import { anotherTenant } from '../../support/another-tenant.js';
import { fieldErrorsOf } from '../../support/answers.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { shopOf } from '../../support/shop.js';
import { golden } from './golden.js';

const START = '2026-01-01T00:00:00Z';
const AFTER_34_DAYS = '2026-02-04T00:00:00Z';
const AFTER_40_DAYS = '2026-02-10T00:00:00Z';
const ALL = { success: 'all', failed_events: null };

/** Returns functions that send and count events. A yearly plan counts all events since 1 January. */
async function meterOf(app: TestApp, request: TestAgent) {
  const shop = shopOf({ ...app, request });
  const metric_id = await shop.metric();
  const components = [{ metric_id, tiers: [{ type: 'free', range_start: 0 }] }];
  const yearly = { plan_duration: 'yearly' };
  const plan = await shop.plan('by use', { recurring_charges: [], components }, yearly);
  return {
    subscribe: async (customer: string): Promise<void> => {
      await shop.customer(customer);
      await shop.subscribe(customer, plan, '2026-01-01');
    },
    track: (body: object) => request.post('/api/track/').send(body),
    counted: async (customer: string): Promise<number> => {
      const path = `/api/metric_access/?customer_id=${customer}&metric_id=${metric_id}`;
      return (await request.get(path).expect(200)).body.access_per_subscription[0].metric_usage;
    },
  };
}

let app: TestApp;
let meter: Awaited<ReturnType<typeof meterOf>>;
let metered: object;
let deduplicated: object;

const event = (idempotency_id: string | undefined, customer_id: string, changes: object = {}) => ({
  idempotency_id,
  customer_id,
  event_name: 'request',
  time_created: START,
  properties: {},
  ...changes,
});
/** Returns the reason for which the only event of a request failed. */
const refusalOf = async (sent: object): Promise<string> => {
  const { body } = await meter.track(sent).expect(400);
  expect(body.success).toBe('none');
  const [reason, ...more] = Object.values(body.failed_events);
  expect(more).toEqual([]);
  return String(reason);
};

beforeAll(async () => {
  app = await startTestApp({ clockStart: START });
  meter = await meterOf(app, app.request);
  for (const customer of ['batch', 'stripe', 'metronome']) await meter.subscribe(customer);
  metered = event('metered', 'stripe');
  deduplicated = event('deduplicated', 'metronome');
  await meter.track({ batch: [metered, deduplicated, event('k2', 'old')] }).expect(201);
});
afterAll(() => app.stop());

golden('track-batch', async ({ expect: wanted }) => {
  const { status, body } = await meter.track({ batch: [event('a', 'batch'), event('b', 'batch')] });
  expect({ status, success: body.success }).toEqual(wanted);
  expect(body).toEqual(ALL);
  expect(await meter.counted('batch')).toBe(2);
});

golden('track-none', async ({ expect: wanted }) => {
  const { status, body } = await meter.track({ batch: [event(undefined, 'batch')] });
  expect({ status, success: body.success }).toEqual(wanted);
  expect(body.failed_events).toEqual({ no_idempotency_id: 'idempotency_id is missing.' });
});

golden('track-unknown-customer', async ({ expect: wanted }) => {
  const { status, body } = await meter.track(event('early', 'later'));
  expect({ status }).toEqual(wanted);
  expect(body).toEqual(ALL);
  await meter.subscribe('later');
  expect(await meter.counted('later')).toBe(1);
});

golden('track-duplicate-other-org', async ({ expect: wanted }) => {
  const theirs = await meterOf(app, (await anotherTenant(app)).request);
  for (const { subscribe, track } of [meter, theirs]) {
    await subscribe('same');
    expect((await track(event('k', 'same')).expect(201)).body).toEqual(ALL);
  }
  expect(await meter.counted('same')).toBe(1);
  expect(await theirs.counted('same')).toBe(wanted?.['stored_y']);
});

golden('metronome-dedupe-window', async () => {
  await app.advance(AFTER_34_DAYS);
  expect((await meter.track(deduplicated).expect(201)).body).toEqual(ALL);
  expect(await meter.counted('metronome')).toBe(1);
  const otherwise = { ...deduplicated, properties: { n: 1 } };
  expect(await refusalOf({ ...otherwise, time_created: AFTER_34_DAYS })).toMatch(/another event/i);
  expect(await refusalOf(otherwise)).toMatch(/30 days/);
  expect(await meter.counted('metronome')).toBe(1);
  for (const time_created of ['2026-01-04T00:00:00Z', START]) {
    const late = event(`late ${time_created}`, 'metronome', { time_created });
    expect(await refusalOf(late)).toMatch(/30 days/);
  }
  const backdated = event('backdated', 'metronome', { time_created: '2026-01-05T00:00:00Z' });
  expect((await meter.track(backdated).expect(201)).body).toEqual(ALL);
  expect(await meter.counted('metronome')).toBe(2);
});

golden('verify-ids', async ({ expect: wanted }) => {
  await app.advance(AFTER_40_DAYS);
  await meter.track(event('k1', 'old', { time_created: AFTER_40_DAYS })).expect(201);
  const verify = (body: object) => app.request.post('/api/verify_idems_received/').send(body);
  const first = await verify({ idempotency_ids: ['k1', 'k2', 'k3'] }).expect(200);
  const second = await verify({ idempotency_ids: ['k1', 'k2'], number_days_lookback: 60 }).expect(200);
  const third = await verify({});
  expect({
    first: first.body.ids_not_found,
    second: second.body.ids_not_found,
    third: third.status,
  }).toEqual(wanted);
  expect(third.body).toMatchObject({ title: 'required', status: 400 });
  expect(fieldErrorsOf(third.body)).toEqual({ idempotency_ids: 'required' });
});

golden('stripe-meter-window', async () => {
  for (let time = 1; time <= 2; time += 1) {
    expect((await meter.track(metered).expect(201)).body).toEqual(ALL);
  }
  expect(await meter.counted('stripe')).toBe(1);
  const at = (time_created: string) => event(`at ${time_created}`, 'stripe', { time_created });
  expect(await refusalOf(at('2026-01-05T00:00:00Z'))).toMatch(/30 days/);
  expect((await meter.track(at('2026-02-10T00:06:00Z')).expect(201)).body).toEqual(ALL);
  expect(await refusalOf(at('2026-02-11T01:00:00Z'))).toMatch(/1 day/);
});
