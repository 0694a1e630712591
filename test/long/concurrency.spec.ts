import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProjectionProgress } from '../../projections/runtime/progress.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { START } from '../crash/workload.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { EsdbDouble } from '../support/esdb-double/server.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { Random } from '../support/random.js';
import { shopOf, type Shop } from '../support/shop.js';
import { PATIENCE_MS } from '../support/until.js';
import { verifyAll } from '../support/verify-all.js';

const MANY = 200;
const random = new Random(1);
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Clients of everything at once: every other one talks to the other process. */
describe.each(['PostgreSQL', 'EventStoreDB'])(
  'two processes and hundreds of clients, the log in %s',
  (log) => {
    let node: EsdbDouble | undefined;
    let database: TestDatabase;
    let apps: TestApp[];
    let shop: Shop;
    let plan: string;

    beforeAll(async () => {
      node = log === 'EventStoreDB' ? await new EsdbDouble().start() : undefined;
      database = await createTestDatabase('recount_with_read_models');
      const eventStoreUrl = node?.connectionString ?? '';
      const options = { databaseUrl: database.url, eventStoreUrl, clockStart: START };
      apps = [await startTestApp(options), await startTestApp(options)];
      shop = shopOf(apps[0]!);
      plan = await shop.plan('Small');
    });
    afterAll(async () => {
      for (const app of apps) await app.stop();
      await database.drop();
      node?.stop();
    });

    /** Under a key of the client's own until it is no conflict any more; every conflict says when to try again. */
    const insist = async (client: number, path: string, body: object, mark = '') => {
      const key = `${path}${mark}${client}`;
      for (;;) {
        const answer = await apps[client % 2]!.request.post(path).set('Idempotency-Key', key).send(body);
        if (answer.status !== 409) return answer;
        expect(answer.headers['retry-after']).toMatch(/^\d+$/);
        await sleep(random.integer(0, 100));
      }
    };

    /** A process shows the other's writes once it has read them. */
    const allShown = async () => {
      for (const { service } of apps) {
        const head = await service.app.get<EventStore>(EVENT_STORE).head();
        expect(await service.app.get(ProjectionProgress).waitFor(head!, PATIENCE_MS)).toBe(true);
      }
    };

    const subscribed = async (customer: string) => {
      await shop.customer(customer);
      return (await shop.subscribe(customer, plan, '2026-01-01')) as { subscription_id: string };
    };
    const statuses = (answers: readonly { status: number }[]) =>
      [...new Set(answers.map(({ status }) => status))].sort();

    it('one subscription: every change that was answered is in its history, once', async () => {
      const { subscription_id: id } = await subscribed('one-subscription');
      const path = `/api/subscriptions/${id}/update/`;
      const change = (client: number) => insist(client, path, { metadata: { client } });
      expect(statuses(await Promise.all(range(MANY).map(change)))).toEqual([200]);
      const history = await apps[1]!.request.get(`/api/subscriptions/${id}/history/?limit=1000`).expect(200);
      const events = history.body.events as { type: string; data: { metadata: { client: number } } }[];
      const changes = events
        .filter(({ type }) => type === 'MetadataChanged')
        .map(({ data }) => data.metadata);
      expect(changes.map(({ client }) => client).sort((a, b) => a - b)).toEqual(range(MANY));
      await allShown();
      const shown = await apps[0]!.request.get(`/api/subscriptions/${id}/`).expect(200);
      expect(shown.body.metadata).toEqual(changes.at(-1));
    });

    it('one subscription: it is cancelled once, and invoiced once for that', async () => {
      const { subscription_id: id } = await subscribed('cancelled');
      const cancel = (client: number) =>
        insist(client, `/api/subscriptions/${id}/cancel/`, { flat_fee_behavior: 'refund' });
      const answers = await Promise.all(range(MANY).map(cancel));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status, body } of answers)
        if (status !== 200) expect([status, body.title]).toEqual([400, 'invalid_state']);
      await allShown();
      // The first invoice, and that of the cancellation.
      expect(await shop.invoices('?customer_id=cancelled')).toHaveLength(2);
    });

    it('one place: of many subscriptions to one plan one is there, and is invoiced once', async () => {
      await shop.customer('one-place');
      const body = { customer_id: 'one-place', plan_id: plan, start_date: '2026-01-01' };
      const subscribe = (client: number) => insist(client, '/api/subscriptions/', body, 'place');
      const answers = await Promise.all(range(MANY).map(subscribe));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const { status, body: problem } of answers)
        if (status !== 201) expect([status, problem.title]).toEqual([400, 'overlapping_plans']);
      await allShown();
      expect(await shop.invoices('?customer_id=one-place')).toHaveLength(1);
    });

    it('one account: every credit that was answered is there once, and what is drawn adds up', async () => {
      await shop.customer('one-account');
      const credit = { customer_id: 'one-account', amount: 0.5, currency_code: 'USD' };
      const subscription = { customer_id: 'one-account', plan_id: plan, start_date: '2026-01-01' };
      const answers = await Promise.all([
        insist(0, '/api/subscriptions/', subscription, 'account'),
        ...range(MANY).map((client) => insist(client, '/api/credits/', credit)),
      ]);
      expect(statuses(answers)).toEqual([201]);
      await allShown();
      const list = '/api/credits/?customer_id=one-account&limit=1000';
      const credits = (await apps[1]!.request.get(list).expect(200)).body as { amount_remaining: number }[];
      expect(credits).toHaveLength(MANY);
      const left = credits.reduce((sum, { amount_remaining: remaining }) => sum + remaining, 0);
      const invoices = await shop.invoices('?customer_id=one-account');
      expect(invoices).toHaveLength(1);
      expect(invoices[0].amount + 0.5 * MANY).toBe(30 + left);
    });

    it('one number series: the numbers of a day have no gap and no repeat', async () => {
      const before = (await shop.invoices('?limit=1000')).length;
      const join = async (client: number) => {
        const customer = `numbered-${client}`;
        expect((await insist(client, '/api/customers/', { customer_id: customer })).status).toBe(201);
        const body = { customer_id: customer, plan_id: plan, start_date: '2026-01-01' };
        expect((await insist(client, '/api/subscriptions/', body, 'join')).status).toBe(201);
      };
      await Promise.all(range(MANY).map(join));
      await allShown();
      const numbers = (await shop.invoices('?limit=1000')).map((invoice: { invoice_number: string }) =>
        Number(/^260101-(\d{6})$/.exec(invoice.invoice_number)![1]),
      );
      const expected = range(before + MANY).map((index) => index + 1);
      expect(numbers.sort((a: number, b: number) => a - b)).toEqual(expected);
      expect(await verifyAll(apps[0]!)).toBe(before + MANY);
    });
  },
);
