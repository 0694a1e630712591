import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Policy } from '../../src/platform/eventsourcing/policies/policies.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { UpdateReservation, StartSuccessor } from '../../src/subscription/commands/subscription-policies.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aPlanBody } from '../support/builders/catalog-bodies.js';

let app: TestApp;
let planId: string;

interface Shown {
  readonly subscription_id: string;
  readonly start_date: string;
  readonly end_date: string;
}

const subscribe = async (customer_id: string, changes: object = {}): Promise<Shown> => {
  await app.request.post('/api/customers/').send({ customer_id }).expect(201);
  const sent = { customer_id, plan_id: planId, start_date: '2026-01-31', ...changes };
  return (await app.request.post('/api/subscriptions/').send(sent).expect(201)).body;
};
const termsOf = async (customer_id: string, query = ''): Promise<Shown[]> =>
  (await app.request.get(`/api/subscriptions/?customer_id=${customer_id}&${query}`).expect(200)).body;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-31T00:00:00Z' });
  planId = (await app.request.post('/api/plans/').send(aPlanBody('monthly')).expect(201)).body.plan_id;
});
afterAll(() => app.stop());

describe('as the clock advances', () => {
  it('terms renew at their boundaries, end without auto_renew, and what came before is fully billed', async () => {
    const filters = [{ property_name: 'region', value: 'eu' }];
    const first = await subscribe('renews', { subscription_filters: filters, metadata: { po: 'A-17' } });
    const once = await subscribe('once', { auto_renew: false });
    await app.advance('2026-03-30T23:59:59Z');

    const renewed = await termsOf('renews');
    expect(renewed.map(({ start_date, end_date }) => [start_date, end_date])).toEqual([
      ['2026-02-28T00:00:00Z', '2026-03-30T23:59:59.999999Z'],
      ['2026-01-31T00:00:00Z', '2026-02-27T23:59:59.999999Z'],
    ]);
    expect(renewed[1]!.subscription_id).toBe(first.subscription_id);
    expect(renewed[0]).toMatchObject({
      auto_renew: true,
      is_new: false,
      subscription_filters: filters,
      metadata: { po: 'A-17' },
      fully_billed: false,
    });
    expect(renewed[1]).toMatchObject({ is_new: true, fully_billed: true });
    const [over, ...none] = await termsOf('once');
    expect(none).toEqual([]);
    expect(over).toMatchObject({ subscription_id: once.subscription_id, fully_billed: true });
    expect(await termsOf('once', 'status=active')).toEqual([]);

    await app.advance('2026-05-01T00:00:00Z');
    expect((await termsOf('renews')).map(({ start_date }) => start_date)).toEqual([
      '2026-04-30T00:00:00Z',
      '2026-03-31T00:00:00Z',
      '2026-02-28T00:00:00Z',
      '2026-01-31T00:00:00Z',
    ]);
    expect((await termsOf('renews', 'status=active')).map(({ start_date }) => start_date)).toEqual([
      '2026-04-30T00:00:00Z',
    ]);
  });

  it('the reservation is transferred with each renewal, and released at the end', async () => {
    const again = (customer_id: string, start_date: string) =>
      app.request.post('/api/subscriptions/').send({ customer_id, plan_id: planId, start_date });
    const { body } = await again('renews', '2029-01-01').expect(400);
    expect(body.title).toBe('overlapping_plans');
    await again('once', '2026-02-27').expect(400);
    await again('once', '2026-02-28').expect(201);
  });

  it('policies that handle a renewal or an end once more change nothing', async () => {
    const { app: nest } = app.service;
    const everything = async () => ({
      head: await nest.get<EventStore>(EVENT_STORE).head(),
      places: (await app.pool.query('select * from placements order by subscription_id')).rows,
    });
    const before = await everything();
    const policies: Policy[] = [nest.get(StartSuccessor), nest.get(UpdateReservation)];
    let handled = 0;
    for await (const event of nest.get<EventStore>(EVENT_STORE).readAll()) {
      if (event.metadata.org !== app.org) continue;
      for (const policy of policies.filter(({ on }) => on.includes(event.type))) {
        await policy.handle(event);
        handled += 1;
      }
    }
    expect(handled).toBeGreaterThan(3);
    expect(await everything()).toEqual(before);
  });

  it('a start in the past is renewed boundary by boundary up to now', async () => {
    await subscribe('latecomer', { start_date: '2026-01-10' });
    await app.advance('2026-05-01T01:00:00Z');
    expect((await termsOf('latecomer')).map(({ start_date }) => start_date)).toEqual([
      '2026-04-10T00:00:00Z',
      '2026-03-10T00:00:00Z',
      '2026-02-10T00:00:00Z',
      '2026-01-10T00:00:00Z',
    ]);
  });

  it('a first term that is over at its creation is answered as the next read shows it', async () => {
    const created = await subscribe('over', { start_date: '2026-02-10' });
    expect(created).toMatchObject({ end_date: '2026-03-09T23:59:59.999999Z', fully_billed: true });
    const path = `/api/subscriptions/${created.subscription_id}/`;
    expect((await app.request.get(path).expect(200)).body).toEqual(created);
  });

  it("a customer's new zone counts from the next term on", async () => {
    await subscribe('mover', { start_date: '2026-05-01' });
    await app.request.patch('/api/customers/mover/').send({ timezone: 'Europe/Warsaw' }).expect(200);
    expect((await termsOf('mover'))[0]!.end_date).toBe('2026-05-31T23:59:59.999999Z');
    await app.advance('2026-06-01T00:00:00Z');
    expect((await termsOf('mover'))[0]).toMatchObject({
      start_date: '2026-06-01T00:00:00Z',
      end_date: '2026-06-30T21:59:59.999999Z',
    });
  });

  it('a term that owes nothing at its end is fully billed there, before the run after the grace', async () => {
    const { subscription_id } = await subscribe('advance', { start_date: '2026-06-01' });
    await subscribe('advance once', { start_date: '2026-06-01', auto_renew: false });
    for (const at of ['2026-07-01T00:00:00Z', '2026-07-01T00:30:00Z']) {
      await app.advance(at);
      expect((await termsOf('advance'))[1]).toMatchObject({ subscription_id, fully_billed: true });
      expect(await termsOf('advance once')).toMatchObject([{ fully_billed: true }]);
    }
  });
});
