import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { streamName } from '../../../src/kernel/event.js';
import { Database } from '../../../src/platform/database/open-database.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { StreamRestrictions } from '../../../src/platform/eventsourcing/stream-restrictions.js';
import { TermReader } from '../../../src/subscription/term-reader.js';
import { OverlapReservations } from '../../../src/subscription/overlap-reservations.js';
import { aTerm } from '../../support/builders/subscription.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { overlapReservationsContract } from './contract.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const database = () => new Database(test.pool, test.url, async () => {});
const open = () => {
  const store = new InMemoryEventStore();
  return new OverlapReservations(database(), new TermReader(store), store);
};

overlapReservationsContract('PostgreSQL', async () => open());

describe('a reservation on a plan that is restricted', () => {
  const org = randomUUID();
  const newPlan = () => ({ planId: randomUUID(), revision: 3n, readAt: performance.now() });
  const term = () => ({ ...aTerm(), subscriptionId: randomUUID(), customerKey: randomUUID() });
  const restrict = (planId: string, command: () => Promise<{ revision: bigint }>) =>
    new StreamRestrictions(database()).restrict(org, streamName('plan', org, planId), async () => ({
      ...(await command()),
      events: [{}],
    }));
  const reserved = async (subscriptionId: string): Promise<number> =>
    (await test.pool.query('select from placements where subscription_id = $1', [subscriptionId])).rowCount!;

  it('is not taken when it was decided before the restriction, and taken when decided after it', async () => {
    const [plan, wanted] = [newPlan(), term()];
    await restrict(plan.planId, async () => ({ revision: 4n }));
    expect(await open().reserveNew(org, plan, wanted)).toBe(false);
    expect(await reserved(wanted.subscriptionId)).toBe(0);
    expect(await open().reserveNew(org, { ...plan, revision: 4n }, wanted)).toBe(true);
    expect(await reserved(wanted.subscriptionId)).toBe(1);
  });

  it('is not taken when the plan was read before the restriction, however long ago', async () => {
    const [plan, wanted] = [newPlan(), term()];
    await restrict(plan.planId, async () => ({ revision: 4n }));
    await test.pool.query(`update restricted_streams set restricted_at = now() - interval '90 seconds'`);
    const readAt = plan.readAt - 120_000;
    expect(await open().reserveNew(org, { ...plan, readAt }, wanted)).toBe(false);
    expect(await open().reserveNew(org, plan, wanted)).toBe(true);
  });

  it('is taken for a term that is not new', async () => {
    const [plan, known] = [newPlan(), term()];
    await restrict(plan.planId, async () => ({ revision: 4n }));
    await open().reserve(org, known);
    expect(await reserved(known.subscriptionId)).toBe(1);
  });

  it('is refused as a conflict when the restriction takes too long, and taken once that has failed', async () => {
    const [plan, wanted] = [newPlan(), term()];
    const hanging = restrict(plan.planId, async () => {
      await expect(open().reserveNew(org, plan, wanted)).rejects.toMatchObject({ code: 'conflict' });
      expect(await open().reserveNew(org, newPlan(), term())).toBe(true);
      throw new Error('refused');
    });
    await expect(hanging).rejects.toThrow('refused');
    expect(await open().reserveNew(org, plan, wanted)).toBe(true);
  });
});
