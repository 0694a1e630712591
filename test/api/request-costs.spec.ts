import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { randomUUID } from 'node:crypto';
import { RunBilling } from '../../src/billing/runs/run-billing.js';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { CLOCK, type ManualClock } from '../../src/platform/clock/clock.js';
import { READINESS, type Readiness } from '../../src/platform/eventsourcing/read-models.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase } from '../support/postgres.js';
import { costOf, type RequestCost } from '../support/request-cost.js';
import { shopOf } from '../support/shop.js';

/** Requests of each kind before the measured one, so that connections, statements and plans are in memory. */
const WARM_UPS = 3;
/** Number of the second measured request. Only files that both run count: a new connection or a timer runs others. */
const LAST = WARM_UPS + 1;
const costs = new Map<string, RequestCost>();
/** Cost that is measured for `app` while another service in the same process executes a run. */
let costElsewhere: RequestCost;
let drop: () => Promise<void>;

const version = (metric: string, amount: number) => ({
  recurring_charges: [{ name: 'fee', amount, charge_timing: 'in_advance', charge_behavior: 'prorate' }],
  components: [{ metric_id: metric, tiers: [{ type: 'per_unit', range_start: 0, cost_per_batch: 1 }] }],
});

beforeAll(async () => {
  const database = await createTestDatabase('recount_with_read_models');
  drop = database.drop;
  const options = { databaseUrl: database.url, clockStart: '2026-01-11T00:00:00Z' };
  const seller = await startTestApp(options);
  const shop = shopOf(seller);
  const metric = await shop.metric();
  const from = await shop.plan('from', version(metric, 31));
  const to = await shop.plan('to', version(metric, 62));
  const subscribed: string[] = [];
  for (let n = 0; n <= LAST; n += 1) {
    await shop.customer(`customer-${n}`);
    await shop.customer(`new-${n}`);
    subscribed.push((await shop.subscribe(`customer-${n}`, from, '2026-01-01')).subscription_id);
  }
  const unknown = ['ann', 'ben', 'cleo'].map((customer) => ({
    customer,
    name: 'of nobody',
    at: '2026-01-05T00:00:00Z',
  }));
  await shop.use(...unknown);
  await seller.request.get('/api/subscriptions/').expect(200);
  await seller.stop();

  // The process runs no projection and no scheduler.
  const app = await startTestApp({ ...options, env: { ROLES: 'api' } });
  // On a busy machine it would not know for some seconds that it is alone, and reads would look for work of others.
  app.service.app.get<Readiness>(READINESS, { strict: false }).isAlone = () => true;
  const switched: string[] = [];
  const requests: Record<string, (n: number) => PromiseLike<unknown>> = {
    track: (n) => usageOf(app, n),
    list: () => app.request.get('/api/subscriptions/').expect(200),
    'list events of unknown customers': () =>
      app.request
        .get('/api/events/?event_name=of+nobody')
        .expect(200)
        .then(({ body }) => expect(body).toHaveLength(3)),
    'list events': () =>
      app.request
        .get('/api/events/?event_name=request')
        .expect(200)
        .then(({ body }) => {
          const pending = body.filter(({ state }: { state: string }) => state === 'pending');
          expect([body.length, pending.length]).toEqual([2 * (LAST + 1), LAST + 1]);
        }),
    create: (n) =>
      app.request
        .post('/api/subscriptions/')
        .send({ customer_id: `new-${n}`, plan_id: from, start_date: '2026-01-01' })
        .expect(201),
    switch: (n) =>
      app.request
        .post(`/api/subscriptions/${subscribed[n]}/switch_plan/`)
        .send({ switch_plan_id: to, invoicing_behavior: 'invoice_now' })
        .expect(200)
        .then(({ body }) => switched.push(body.subscription_id)),
    cancel: (n) =>
      app.request
        .post(`/api/subscriptions/${switched[n]}/cancel/`)
        .send({ invoicing_behavior: 'invoice_now' })
        .expect(200),
    bill: (n) => app.service.app.get(CommandBus, { strict: false }).execute(billingRunOf(app, n)),
  };
  for (const [name, send] of Object.entries(requests)) {
    // A run bills a period that has ended.
    if (name === 'bill') await clockOf(app).advanceTo(app.org, instant('2026-02-02T00:00:00Z'));
    for (let n = 0; n < WARM_UPS; n += 1) await send(n);
    const { files } = await costOf(app, () => send(WARM_UPS));
    const cost = await costOf(app, () => send(LAST));
    costs.set(name, { ...cost, files: cost.files.filter((file) => files.includes(file)) });
  }
  const other = await startTestApp({ ...options, env: { ROLES: 'api' } });
  const run = billingRunOf(other, 0);
  costElsewhere = await costOf(app, () => other.service.app.get(CommandBus, { strict: false }).execute(run));
  await other.stop();
  if (process.env['REQUEST_COSTS']) {
    process.stdout.write(`${JSON.stringify(Object.fromEntries(costs), null, 1)}\n`);
  }
  await app.stop();
});
afterAll(() => drop());

const usageOf = ({ request }: TestApp, n: number) =>
  request
    .post('/api/track/')
    .send({
      batch: ['customer', 'new'].map((kind) => ({
        event_name: 'request',
        customer_id: `${kind}-${n}`,
        idempotency_id: `${kind}-event-${n}`,
        time_created: '2026-01-05T00:00:00Z',
        properties: {},
      })),
    })
    .expect(201);

const clockOf = (app: TestApp): ManualClock => app.service.app.get<ManualClock>(CLOCK, { strict: false });

/** Returns the command that a sweep executes for each due account. */
const billingRunOf = ({ org }: TestApp, n: number): RunBilling =>
  new RunBilling(
    { org, commandId: randomUUID(), correlationId: `run-${n}`, actor: 'system' },
    { customerKey: customerKeyOf(org, `new-${n}`), currency: 'USD' },
  );

/** Returns the streams of a category, each with the number of its reads. */
const readsOf = (name: string): [string, number][] =>
  Object.entries(costs.get(name)!.reads).map(([stream, reads]) => [stream.split('-')[0]!, reads]);

describe.each(['create', 'switch', 'cancel', 'bill'])('a request to %s a subscription', (name) => {
  it('reads each stream once', () => {
    const more = readsOf(name).filter(([, reads]) => reads > 1);
    expect(more).toEqual([]);
  });

  it('asks the clock once', () => {
    expect(costs.get(name)!.clockReads).toBe(1);
  });

  it('computes the invoice once', () => {
    expect(costs.get(name)!.invoicesComputed).toBe(1);
  });
});

it('counts no work of another service in the same process', () => {
  const { reads, clockReads, invoicesComputed } = costElsewhere;
  expect({ reads, clockReads, invoicesComputed }).toEqual({ reads: {}, clockReads: 0, invoicesComputed: 0 });
});

it.each([
  ['track', 0],
  ['list', 1],
  ['list events of unknown customers', 0],
  ['list events', 0],
])('a request to %s reads %d streams', (name, streams) => {
  expect(readsOf(name)).toHaveLength(streams);
});

/** Tests the number of files with executed functions. The limits are measured; lower them when files are merged. */
it.each([
  ['list', 43],
  ['create', 89],
  ['switch', 89],
  ['cancel', 97],
  ['bill', 66],
])('a request to %s runs functions of at most %d files', (name, files) => {
  expect(costs.get(name)!.files.length).toBeLessThanOrEqual(files);
});
