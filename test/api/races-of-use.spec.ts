import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody, aMetricBody, anAddonBody, aPlanBody } from '../support/builders/catalog-bodies.js';
import { newCustomer, newPlan, type PlanAnswer } from '../support/subscribers.js';

/** Pairs of requests that each test sends: of a use and a restriction, either begins first, in one process and in two. */
const PAIRS = 4;
/** Delay of the appends of a pair: the second request comes when the first is decided and not stored. Without a lock both succeed. */
const HELD_UP_MS = 100;
let isRacing = false;
let app: TestApp;
/** Another process on the same stores. */
let other: TestApp;
/** Process that the restricting request of a pair goes to. */
let restricting: TestApp;
let customer: string;
let plan: PlanAnswer;
let names = 0;

const post = (path: string, body: object = {}, to = app) => to.request.post(`/api/${path}`).send(body);
const restrict = (path: string, body: object = {}) => post(path, body, restricting);
const versionOf = ({ versions }: PlanAnswer): string => versions[0]!.version_id;
const name = (): string => `raced ${(names += 1)}`;

const subscribe = (selected: object = { plan_id: plan.plan_id }) =>
  post('subscriptions/', { customer_id: customer, start_date: '2026-01-01', ...selected });

type Send = () => PromiseLike<Response>;
/** A use and a restriction. */
type Pair = [use: Send, restriction: Send];

/** Sends a request while the append of one that began now is held up. */
const later = (send: Send) => sleep(HELD_UP_MS / 4).then(send);

/** Sends the pairs one after another. Each has its own customer and plan. */
async function together(prepare: () => Promise<Pair>): Promise<readonly Response[][]> {
  const pairs: Response[][] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    customer = await newCustomer(app);
    plan = await newPlan(app);
    const [use, restriction] = await prepare();
    restricting = pair % 4 < 2 ? app : other;
    isRacing = true;
    pairs.push(await Promise.all(pair % 2 === 0 ? [use(), restriction()] : [later(use), restriction()]));
    isRacing = false;
  }
  return pairs;
}

/** Returns for each pair how many requests succeeded; every other one must be refused, not fail. */
async function successesOf(prepare: () => Promise<Pair>): Promise<number[]> {
  const pairs = await together(prepare);
  const statuses = pairs.flat().map(({ status }) => status);
  expect(statuses.filter((status) => ![200, 201, 400].includes(status))).toEqual([]);
  return pairs.map((pair) => pair.filter(({ status }) => status < 300).length);
}

const ONE_OF_EACH_PAIR = Array.from({ length: PAIRS }, () => 1);

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-15T12:00:00Z' });
  other = await startTestApp({ databaseUrl: app.databaseUrl, env: { ROLES: 'api' } });
  restricting = app;
  for (const { service } of [app, other]) {
    const store = service.app.get<EventStore>(EVENT_STORE, { strict: false });
    const append = store.append.bind(store);
    store.append = async (...events) => {
      if (isRacing) await sleep(HELD_UP_MS);
      return append(...events);
    };
  }
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});

describe.each([
  [
    'a plan',
    () => restrict(`plans/${plan.plan_id}/delete/`),
    () => ({ plan_id: plan.plan_id }),
    () => ({ switch_plan_id: plan.plan_id }),
  ],
  [
    'a version',
    () => restrict(`plan_versions/${versionOf(plan)}/delete/`),
    () => ({ version_id: versionOf(plan) }),
    () => ({ switch_plan_version_id: versionOf(plan) }),
  ],
])('%s that is deleted while it comes into use', (_what, remove, selected, target) => {
  it('is deleted, or has a new subscription', async () => {
    const prepare = async (): Promise<Pair> => [() => subscribe(selected()), remove];
    expect(await successesOf(prepare)).toEqual(ONE_OF_EACH_PAIR);
  });

  it('is deleted, or a subscription switches to it', async () => {
    const prepare = async (): Promise<Pair> => {
      const from = await newPlan(app);
      const { body } = await subscribe({ plan_id: from.plan_id }).expect(201);
      return [() => post(`subscriptions/${body.subscription_id}/switch_plan/`, target()), remove];
    };
    expect(await successesOf(prepare)).toEqual(ONE_OF_EACH_PAIR);
  });

  it('is deleted, or replaces the plan of a customer', async () => {
    const prepare = async (): Promise<Pair> => {
      const from = await newPlan(app);
      await subscribe({ plan_id: from.plan_id }).expect(201);
      const change = { customer_id: customer, plan_id: from.plan_id, replace_plan_id: plan.plan_id };
      return [() => post('subscriptions/update/', change), remove];
    };
    expect(await successesOf(prepare)).toEqual(ONE_OF_EACH_PAIR);
  });
});

describe('the target customers of a version that change while it comes into use', () => {
  const change = (how: 'add' | 'remove', ...customer_ids: string[]) =>
    restrict(`plan_versions/${versionOf(plan)}/target_customers/${how}/`, { customer_ids });

  it('leave out no customer who subscribes when others are added', async () => {
    const prepare = async (): Promise<Pair> => {
      const another = await newCustomer(app);
      return [() => subscribe(), () => change('add', another)];
    };
    expect(await successesOf(prepare)).toEqual(ONE_OF_EACH_PAIR);
  });

  it('leave out no customer who subscribes when this one is removed', async () => {
    const prepare = async (): Promise<Pair> => {
      await change('add', customer, await newCustomer(app)).expect(200);
      return [() => subscribe(), () => change('remove', customer)];
    };
    expect(await successesOf(prepare)).toEqual(ONE_OF_EACH_PAIR);
  });

  it('may change while one of them subscribes', async () => {
    const prepare = async (): Promise<Pair> => {
      await change('add', customer).expect(200);
      const another = await newCustomer(app);
      return [() => subscribe(), () => change('add', another)];
    };
    expect(await successesOf(prepare)).toEqual(Array.from({ length: PAIRS }, () => 2));
  });
});

describe('a metric that is archived while it comes into use', () => {
  it.each([
    ['a plan', (version: object) => post('plans/', aPlanBody(name(), version))],
    [
      'a version',
      (version: object) => post('plan_versions/', { plan_id: plan.plan_id, version: 2, ...version }),
    ],
    ['an add-on', (version: object) => post('addons/', anAddonBody(name(), version))],
  ])('is archived, or %s counts by it', async (_what, use) => {
    const prepare = async (): Promise<Pair> => {
      const { body } = await post('metrics/', aMetricBody({ metric_name: name() })).expect(201);
      const version = { currency_code: 'USD', components: [aComponentBody(body.metric_id)] };
      return [() => use(version), () => restrict(`metrics/${body.metric_id}/archive/`)];
    };
    expect(await successesOf(prepare)).toEqual(ONE_OF_EACH_PAIR);
  });
});
