import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ClaimAudit } from '../../src/audit/doctor/claim-audit.js';
import { StartSuccessor } from '../../src/subscription/commands/subscription-policies.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { beforeReserved } from '../support/before-reserved.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
let shop: Shop;
const fee = (amount: number) => ({
  recurring_charges: [{ name: 'fee', amount, charge_timing: 'in_advance', charge_behavior: 'prorate' }],
});
const region = (value: string) => ({ subscription_filters: [{ property_name: 'region', value }] });

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-11T00:00:00Z' });
  shop = shopOf(app);
});
afterAll(async () => {
  expect(await verifyAll(app)).toBeGreaterThan(2);
  await app.stop();
});

describe('of switches that meet', () => {
  it('one succeeds, and the others hear that the subscription has ended or is being changed', async () => {
    const [from, to] = [await shop.plan('from', fee(31)), await shop.plan('to', fee(62))];
    await shop.customer('racing');
    const { subscription_id } = await shop.subscribe('racing', from, '2026-01-01');
    const answers = await Promise.all(
      Array.from({ length: 25 }, () =>
        app.request
          .post(`/api/subscriptions/${subscription_id}/switch_plan/`)
          .send({ switch_plan_id: to })
          .then(({ status, body }) => (status === 200 ? 'switched' : (body.title as string))),
      ),
    );
    expect(answers.filter((answer) => answer === 'switched')).toHaveLength(1);
    expect(answers).not.toContain('overlapping_plans');
    for (const answer of answers) expect(['switched', 'invalid_state', 'conflict']).toContain(answer);
  });

  it('by filter, each subscription is switched once, and what was switched before matches no more', async () => {
    const [from, to] = [await shop.plan('many from', fee(31)), await shop.plan('many to', fee(62))];
    await shop.customer('many');
    for (let n = 0; n < 6; n += 1) await shop.subscribe('many', from, '2026-01-01', region(`r${n}`));
    const replace = () =>
      app.request
        .post(`/api/subscriptions/update/?customer_id=many&plan_id=${from}`)
        .send({ replace_plan_id: to });
    const answers = await Promise.all([replace(), replace(), replace(), replace()]);
    const switched = answers.filter(({ status }) => status === 200);
    expect(switched.map(({ body }) => body.length)).toEqual([6]);
    const refusals = answers.filter(({ status }) => status !== 200).map(({ body }) => body.title as string);
    for (const refusal of refusals) expect(['resource_not_found', 'conflict']).toContain(refusal);
    const running = await app.request.get('/api/subscriptions/?customer_id=many&status=active').expect(200);
    expect(running.body).toHaveLength(6);
  });

  it('a subscription that really overlaps is still refused as one', async () => {
    const [from, to] = [await shop.plan('one', fee(31)), await shop.plan('other', fee(62))];
    await shop.customer('both');
    const { subscription_id } = await shop.subscribe('both', from, '2026-01-01');
    await shop.subscribe('both', to, '2026-01-01');
    const { status, body } = await app.request
      .post(`/api/subscriptions/${subscription_id}/switch_plan/`)
      .send({ switch_plan_id: to });
    expect([status, body.title]).toEqual([400, 'overlapping_plans']);
  });
});

describe('a switch that another change precedes', () => {
  const [noted, ending] = [{ metadata: { a: 1 } }, { turn_off_auto_renew: true, end_date: '2026-01-25' }];
  it.each([
    ['a later start', 'switch', noted, 1_000],
    ['another end', 'switch', ending, 0],
    ['a later start, by filter', 'replacement', noted, 1_000],
    ['another end, by filter', 'replacement', ending, 0],
  ])(
    'reserves the time of the new subscription, and is invoiced at once, with %s',
    async (what, how, change, passed) => {
      const [from, to] = [await shop.plan(`${what} from`, fee(31)), await shop.plan(`${what} to`, fee(62))];
      await shop.customer(what);
      const { subscription_id: id } = await shop.subscribe(what, from, '2026-01-01');
      beforeReserved(app, async () => {
        const { body: clock } = await app.request.get('/api/test_clock/').expect(200);
        await app.advance(new Date(Date.parse(clock.now) + passed).toISOString());
        await app.request.post(`/api/subscriptions/${id}/update/`).send(change).expect(200);
      });
      const [path, body] =
        how === 'switch'
          ? [`${id}/switch_plan`, { switch_plan_id: to }]
          : ['update', { customer_id: what, plan_id: from, replace_plan_id: to }];
      await app.request.post(`/api/subscriptions/${path}/`).send(body).expect(200);
      await app.request.get(`/api/subscriptions/?customer_id=${what}`).expect(200);
      expect(await app.service.app.get(ClaimAudit).reservations(0)).toEqual([]);
      expect(await shop.invoices(`?customer_id=${encodeURIComponent(what)}`)).toHaveLength(2);
    },
  );
});

describe('a new subscription that a switch has decided and that has not begun, as its process died', () => {
  const unknown = `addon_${'0'.repeat(32)}`;
  it.each([
    ['changed', 'update/', { metadata: { begun: true } }, 200],
    ['cancelled', 'cancel/', {}, 200],
    ['switched', 'switch_plan/', { switch_plan_id: 'from' }, 200],
    ['given an add-on', 'addons/attach/', { addon_id: unknown, quantity: 1 }, 400],
  ])('begins when it is %s', async (what, path, body, status) => {
    const from = await shop.plan(`${what} from`, fee(31));
    const to = await shop.plan(`${what} to`, fee(62));
    await shop.customer(what);
    const { subscription_id: former } = await shop.subscribe(what, from, '2026-02-01');
    const policy = app.service.app.get(StartSuccessor, { strict: false });
    jest.spyOn(policy, 'handle').mockRejectedValueOnce(new Error('the process died here'));
    const post = (id: string, then: string, sent: object) =>
      app.request.post(`/api/subscriptions/${id}/${then}`).send(sent);
    const switched = await post(former, 'switch_plan/', { switch_plan_id: to }).expect(200);
    const sent = 'switch_plan_id' in body ? { switch_plan_id: from } : body;
    await post(switched.body.subscription_id, path, sent).expect(status);
  });
});
