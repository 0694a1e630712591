import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldErrorsOf } from '../../support/answers.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { aChargeBody } from '../../support/builders/catalog-bodies.js';
import { times } from '../../support/shop.js';
import { verifyAll } from '../../support/verify-all.js';
import { chargedOn, fixtureOf, figure, priced, type Fixture, type Subscription } from './fixture.js';
import { golden } from './golden.js';

let app: TestApp;
let fixture: Fixture;
let metric: string;
const plans: Record<string, string> = {};
/** Subscriptions to plan A from 1 January, by the id of the case, which is also the customer's id. */
const subscribed: Record<string, Subscription> = {};

const updateOf = (customer: string, plan: string, body: object = {}) =>
  fixture.post(`update/?customer_id=${customer}&plan_id=${plan}`, body);
const update = (id: string, body: object) => fixture.post(`${subscribed[id]!.subscription_id}/update/`, body);
/** Returns the resources that a refusal must not change. */
const look = async (customer: string) => [
  await fixture.subscriptionsOf(customer),
  await fixture.invoicesOf(customer),
  (await app.request.get(`/api/subscriptions/${subscribed[customer]!.subscription_id}/history/`)).body,
];
const begin = async (id: string) => {
  await fixture.customer(id);
  subscribed[id] = await fixture.subscribe(id, plans.a!, '2026-01-01');
};

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  fixture = fixtureOf(app);
  metric = await fixture.metric();
  plans.a = await fixture.plan('A');
  plans.b = await fixture.plan('B', { recurring_charges: [aChargeBody({ amount: 60 })] });
  plans.used = await fixture.plan('used', priced(metric, { amount: 30, timing: 'in_arrears' }));
  for (const id of [
    'edit-replace-plan',
    'edit-same-plan',
    'edit-none-found',
    'edit-missing-params',
    'edit-auto-renew-off',
    'update-auto-renew-off',
  ])
    await begin(id);
  await fixture.customer('update-end-date-future');
  subscribed['update-end-date-future'] = await fixture.subscribe(
    'update-end-date-future',
    plans.used,
    '2026-01-01',
  );
  await fixture.customer('renew-off');
  const p = await fixture.plan('P', priced(metric, { amount: 30 }));
  subscribed['renew-off'] = await fixture.subscribe('renew-off', p, '2026-01-01');
  await update('renew-off', { turn_off_auto_renew: true }).expect(200);
  await app.advance('2026-01-10T00:00:00Z');
  const events = times(15, '2026-01-05T12:00:00Z');
  await fixture.use(...events.map((event) => ({ ...event, customer: 'renew-off' })));
});
afterAll(() => app.stop());

golden('edit-replace-plan', async ({ id, expect: wanted }) => {
  const { body } = await updateOf(id, plans.a!, { replace_plan_id: plans.b }).expect(200);
  expect(body).toMatchObject([{ billing_plan: { plan_id: plans.b }, start_date: '2026-01-10T00:00:00Z' }]);
  expect(body).toHaveLength(1);
  expect(body[0].subscription_id).not.toBe(subscribed[id]!.subscription_id);
  const [invoice, ...others] = await fixture.invoicesOf(id);
  expect(others).toHaveLength(1);
  expect(figure(invoice!.amount)).toBe(wanted!.invoice);
  expect(chargedOn(invoice!)).toEqual([...(wanted!.lines as string[])].sort());
});

golden('edit-same-plan', async ({ id, expect: wanted }) => {
  const before = await look(id);
  const refused = updateOf(id, plans.a!, { replace_plan_id: plans.a });
  expect((await refused.expect(wanted!.status as number)).body.title).toBe('invalid_operation');
  expect(await look(id)).toEqual(before);
});

golden('edit-none-found', async ({ id, expect: wanted }) => {
  const { body } = await updateOf(id, plans.b!).expect(wanted!.status as number);
  expect(body.title).toBe('resource_not_found');
});

golden('edit-missing-params', async ({ id, expect: wanted }) => {
  const missing = async (query: string) =>
    fieldErrorsOf((await fixture.post(`update/${query}`).expect(wanted!.status as number)).body);
  expect(await missing(`?plan_id=${plans.a}`)).toEqual({ customer_id: 'required' });
  expect(await missing(`?customer_id=${id}`)).toEqual({ plan_id: 'required' });
  expect(await missing('')).toEqual({ customer_id: 'required', plan_id: 'required' });
});

golden('edit-auto-renew-off', async ({ id, expect: wanted }) => {
  const before = await fixture.invoicesOf(id);
  const answer = await updateOf(id, plans.a!, { turn_off_auto_renew: true });
  expect(answer.status).toBe(wanted!.status);
  expect(answer.body).toMatchObject([{ ...subscribed[id], auto_renew: wanted!.auto_renew }]);
  expect(answer.body).toHaveLength(1);
  expect(await fixture.invoicesOf(id)).toEqual(before);
});

golden('update-auto-renew-off', async ({ id, expect: wanted }) => {
  const before = await fixture.invoicesOf(id);
  const { body } = await update(id, { turn_off_auto_renew: true }).expect(wanted!.status as number);
  expect(body).toEqual({ ...subscribed[id], auto_renew: wanted!.auto_renew });
  expect((await fixture.invoicesOf(id)).length - before.length).toBe(wanted!.new_invoices);
});

describe('the version of replace_plan_id', () => {
  const versionOf = async (plan: string, changes: object): Promise<string> => {
    const body = { plan_id: plan, version: 2, currency_code: 'USD', recurring_charges: [aChargeBody()] };
    const created = await app.request
      .post('/api/plan_versions/')
      .send({ ...body, ...changes })
      .expect(201);
    return created.body.version_id;
  };

  golden('ref-update-by-plan', async ({ id }) => {
    const c = (name: string) => `${id}-${name}`;
    for (const name of ['one', 'custom', 'public', 'currency', 'filters']) await begin(c(name));
    const replacedBy = async (name: string, plan: string) =>
      updateOf(c(name), plans.a!, { replace_plan_id: plan });

    const one = await replacedBy('one', await fixture.plan('one version'));
    expect(one.body).toMatchObject([{ billing_plan: { version: 1 } }]);

    const custom = await fixture.plan('several, one for this customer');
    const mine = { version: undefined, target_customer_ids: [c('custom')], make_active: true };
    const version_id = await versionOf(custom, mine);
    const used = await replacedBy('custom', custom);
    expect(used.body).toMatchObject([{ billing_plan: { plan_id: custom, version_id } }]);

    const two = await fixture.plan('several public ones');
    await versionOf(two, { make_active: true, make_active_type: 'grandfather' });
    for (const { version_id: version } of (await app.request.get(`/api/plans/${two}/`)).body.versions) {
      await app.request.patch(`/api/plan_versions/${version}/`).send({ active_to: null }).expect(200);
    }
    const elsewhere = await fixture.plan('another currency', { currency_code: 'EUR' });
    for (const [name, plan, title] of [
      ['public', two, 'ambiguous_plan_version'],
      ['currency', elsewhere, 'invalid_operation'],
    ] as const) {
      const before = await look(c(name));
      const { body } = await replacedBy(name, plan);
      expect(body).toMatchObject({ status: 400, title });
      expect(await look(c(name))).toEqual(before);
    }
    const before = await look(c('filters'));
    const filters = encodeURIComponent('[{"property_name":"region","value":"eu"}]');
    const path = `update/?customer_id=${c('filters')}&plan_id=${plans.a}&subscription_filters=${filters}`;
    const { body } = await fixture.post(path, { replace_plan_id: plans.b }).expect(404);
    expect(body.title).toBe('resource_not_found');
    expect(await look(c('filters'))).toEqual(before);
  });
});

golden('update-end-date-future', async ({ id, expect: wanted }) => {
  const { body } = await update(id, { end_date: '2026-01-20T00:00:00Z' }).expect(wanted!.status as number);
  expect(body).toMatchObject({ ...subscribed[id], end_date: '2026-01-20T00:00:00Z' });
  expect(await fixture.invoicesOf(id)).toEqual([]);
  await app.advance('2026-01-20T01:00:00Z');
  const [invoice, ...others] = await fixture.invoicesOf(id);
  expect(others).toEqual([]);
  // The invoice covers 19 of 31 days.
  expect(chargedOn(invoice!)).toEqual(['18.39']);
  expect(invoice).toMatchObject({ end_date: '2026-01-19' });
});

golden('renew-off', async ({ id, expect: wanted }) => {
  await app.advance('2026-02-01T01:00:00Z');
  const [end, ...others] = await fixture.invoicesOf(id);
  expect(others).toHaveLength(1);
  expect(chargedOn(end!)).toEqual([wanted!.usage]);
  const listed = await fixture.subscriptionsOf(id);
  expect(listed.length > 1).toBe(wanted!.renewed);
  const ended = await app.request.get(`/api/subscriptions/?customer_id=${id}&status=ended`).expect(200);
  expect(ended.body).toEqual(listed);
  expect(listed).toMatchObject([{ ...subscribed[id], auto_renew: false, fully_billed: true }]);
});

it('every invoice verifies', async () => {
  expect(await verifyAll(app)).toBeGreaterThan(10);
});
